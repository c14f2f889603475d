from datetime import timedelta

from django.db import migrations, models
from django.db.models import F, Max, OuterRef, Q, Subquery
from django.utils import timezone

SOON = timedelta(minutes=1)
"""Within which a log opened here has its first entry."""


def mark_imported(apps, schema_editor):
    """Find the logs that came in files: their first entry was not recorded when they came."""
    using = schema_editor.connection.alias
    log, event = apps.get_model("matches", "Log"), apps.get_model("matches", "Event")
    acts = event.objects.using(using).filter(ordinal=0).order_by()
    first = acts.filter(log=OuterRef("pk"), version=1).values("recorded_at")
    logs = log.objects.using(using).filter(match__isnull=False).annotate(began=Subquery(first))
    away = Q(began__lt=F("created_at")) | Q(began__gt=F("created_at") + SOON)
    now = timezone.now()
    for pk, made, head in logs.filter(away).values_list("pk", "created_at", "head_version"):
        not_here = Q(recorded_at__lt=made) | Q(recorded_at__gt=now)
        last = acts.filter(not_here, log=pk).aggregate(last=Max("version"))["last"]
        log.objects.using(using).filter(pk=pk).update(imported_version=last or head)


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0012_jobs_with_progress'),
    ]

    operations = [
        migrations.AddField(
            model_name='log',
            name='imported_version',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.RunPython(mark_imported, migrations.RunPython.noop),
    ]
