from django.db import migrations
from django.db.models import OuterRef, Subquery


def name_campaigns(apps, schema_editor):
    """Name the campaign of every appearance from before, whose rule was that of its character now."""
    using = schema_editor.connection.alias
    campaigns = apps.get_model('characters', 'Campaign').objects.using(using)
    ruling = campaigns.filter(characters=OuterRef('character')).exclude(after_slag='whole')
    appearances = apps.get_model('characters', 'Appearance').objects.using(using)
    appearances.filter(campaign=None).update(campaign=Subquery(ruling.values('pk')[:1]))


class Migration(migrations.Migration):

    dependencies = [
        ('characters', '0002_appearance_campaign'),
    ]

    operations = [
        migrations.RunPython(name_campaigns, migrations.RunPython.noop),
    ]
