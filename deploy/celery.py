"""The Celery application: tasks of every floor, configured by Django's settings."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("zgxl")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
