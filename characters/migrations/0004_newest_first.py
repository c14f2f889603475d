from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('characters', '0003_appearances_of_before'),
        ('matches', '0003_newest_first'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='character',
            options={'ordering': ['-created_at', '-id']},
        ),
        migrations.AlterModelOptions(
            name='favour',
            options={'ordering': ['-since', '-id']},
        ),
        migrations.AlterModelOptions(
            name='trade',
            options={'ordering': ['-offered_at', '-id']},
        ),
        migrations.AddIndex(
            model_name='character',
            index=models.Index(fields=['-created_at', '-id'], name='character_created'),
        ),
    ]
