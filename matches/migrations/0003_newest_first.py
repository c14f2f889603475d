from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0002_rules_digest'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='key',
            options={'ordering': ['-created_at', '-id']},
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['-created_at', '-id'], name='player_created'),
        ),
    ]
