"""App configurations of libraries."""

from django.contrib.admin.apps import AdminConfig


class Admin(AdminConfig):
    default_site = "deploy.backoffice.Site"
