import django.db.models.deletion
import matches.models.base
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='FeedHead',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Log',
            fields=[
                ('headline', models.CharField(blank=True, max_length=200)),
                ('headlines', models.TextField(db_default='{}', default='{}')),
                ('id', models.UUIDField(default=matches.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('ruleset', models.CharField(max_length=40)),
                ('options', models.TextField(default='{}')),
                ('status', models.CharField(choices=[('open', 'Open'), ('ended', 'Ended'), ('withdrawn', 'Withdrawn')], default='open', max_length=10)),
                ('head_version', models.PositiveIntegerField(default=0)),
                ('head_hash', models.CharField(blank=True, max_length=64)),
                ('public_version', models.PositiveIntegerField(blank=True, null=True)),
                ('imported_version', models.PositiveIntegerField(db_default=0, default=0)),
                ('held', models.BooleanField(default=False)),
                ('delay', models.PositiveIntegerField(default=0)),
                ('seed', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('delay__gt', 0)), fields=['id'], name='log_delayed'), models.Index(condition=models.Q(('status', 'open'), ('public_version__isnull', False), _connector='OR'), fields=['id'], name='log_unsettled')],
            },
        ),
        migrations.CreateModel(
            name='Checkpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('follower', models.CharField(max_length=100)),
                ('version', models.PositiveIntegerField(default=0)),
                ('public_version', models.PositiveIntegerField(null=True)),
                ('code', models.PositiveIntegerField(default=0)),
                ('error', models.TextField(blank=True)),
                ('moved_at', models.DateTimeField(null=True)),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checkpoints', to='matches.log')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('follower', 'log'), name='checkpoint_of')],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('ordinal', models.PositiveSmallIntegerField()),
                ('position', models.PositiveBigIntegerField()),
                ('type', models.CharField(max_length=40)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('body', models.TextField()),
                ('act_id', models.UUIDField(null=True)),
                ('request_digest', models.CharField(blank=True, max_length=64)),
                ('verdict', models.CharField(blank=True, max_length=80)),
                ('on', models.PositiveIntegerField(null=True)),
                ('repeats', models.PositiveIntegerField(null=True)),
                ('state_digest', models.CharField(blank=True, max_length=64)),
                ('salt', models.CharField(blank=True, max_length=32)),
                ('hash', models.CharField(blank=True, max_length=64)),
                ('recorded_at', models.DateTimeField(null=True)),
                ('recorded_by', models.UUIDField(null=True)),
                ('said_at', models.DateTimeField(null=True)),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='matches.log')),
            ],
            options={
                'ordering': ['log_id', 'version', 'ordinal'],
                'constraints': [models.UniqueConstraint(fields=('log', 'version', 'ordinal'), name='event_place'), models.UniqueConstraint(fields=('log', 'act_id'), name='event_act_id'), models.UniqueConstraint(fields=('position', 'ordinal'), name='event_position')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.UUIDField(default=matches.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=40)),
                ('about', models.UUIDField(null=True)),
                ('title', models.CharField(blank=True, db_default='', default='', max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('asked_by', models.UUIDField(null=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('started_at', models.DateTimeField(null=True)),
                ('done', models.PositiveIntegerField(db_default=0, default=0)),
                ('total', models.PositiveIntegerField(db_default=0, default=0)),
                ('done_at', models.DateTimeField(null=True)),
                ('is_cancelled', models.BooleanField(db_default=False, default=False)),
                ('result', models.JSONField(null=True)),
                ('error', models.TextField(blank=True)),
                ('log', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='matches.log')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['done_at', 'created_at'], name='matches_job_done_at_998914_idx'), models.Index(fields=['asked_by', '-id'], name='matches_job_asked_b_24546a_idx')],
            },
        ),
        migrations.CreateModel(
            name='Key',
            fields=[
                ('id', models.UUIDField(default=matches.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('scopes', models.JSONField(default=list)),
                ('by_password', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('used_on', models.DateField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='keys', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('salt', models.CharField(blank=True, max_length=32)),
                ('text', models.TextField(blank=True)),
                ('author', models.UUIDField(null=True)),
                ('erased_at', models.DateTimeField(null=True)),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='matches.log')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('log', 'digest'), name='note_digest')],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.UUIDField(default=matches.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=80)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('claimed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='claimed', to='matches.player')),
                ('invited_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='guests', to='matches.player')),
                ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.UUIDField(default=matches.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('link', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('taken_at', models.DateTimeField(blank=True, null=True)),
                ('moved', models.JSONField(default=dict)),
                ('dropped', models.TextField(blank=True)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
                ('guest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='matches.player')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='matches.player')),
                ('taken_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='matches.player')),
                ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='matches.player')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('taken_at__isnull', False), ('undone_at', None)), fields=('guest',), name='claimed_once')],
            },
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.PositiveIntegerField()),
                ('last', models.PositiveIntegerField()),
                ('position', models.PositiveBigIntegerField(unique=True)),
                ('end', models.PositiveBigIntegerField(unique=True)),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='publications', to='matches.log')),
            ],
            options={
                'indexes': [models.Index(fields=['log', 'first'], name='matches_pub_log_id_03fa03_idx')],
            },
        ),
        migrations.CreateModel(
            name='SpinTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('source', models.CharField(max_length=10)),
                ('purpose', models.CharField(max_length=80)),
                ('value', models.CharField(max_length=80)),
                ('count', models.PositiveIntegerField()),
                ('public_count', models.PositiveIntegerField()),
                ('log', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='spin_tallies', to='matches.log')),
            ],
            options={
                'verbose_name_plural': 'spin tallies',
                'constraints': [models.UniqueConstraint(fields=('log', 'seat', 'source', 'purpose', 'value'), name='spin_tally')],
            },
        ),
        migrations.CreateModel(
            name='FollowJob',
            fields=[
                ('log', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='follow_job', serialize=False, to='matches.log')),
                ('asked', models.PositiveBigIntegerField(default=1)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Headline',
            fields=[
                ('headline', models.CharField(blank=True, max_length=200)),
                ('headlines', models.TextField(db_default='{}', default='{}')),
                ('log', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='public_line', serialize=False, to='matches.log')),
                ('version', models.PositiveIntegerField()),
                ('status', models.CharField(choices=[('open', 'Open'), ('ended', 'Ended'), ('withdrawn', 'Withdrawn')], default='open', max_length=10)),
                ('ended_at', models.DateTimeField(null=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('log', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, serialize=False, to='matches.log')),
                ('code', models.CharField(max_length=8, unique=True)),
                ('title', models.CharField(blank=True, max_length=120)),
                ('place', models.CharField(blank=True, max_length=120)),
                ('physical', models.BooleanField(default=True)),
                ('sanctioned', models.BooleanField(default=False)),
                ('visibility', models.CharField(choices=[('public', 'Everyone'), ('table', 'The table and its officials')], default='public', max_length=10)),
                ('kept_back', models.BooleanField(db_default=False, default=False, editable=False)),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('officials', models.ManyToManyField(blank=True, related_name='officiated_matches', to='matches.player')),
                ('opener', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='opened_matches', to='matches.player')),
            ],
            options={
                'verbose_name_plural': 'matches',
                'ordering': ['-started_at', '-log_id'],
                'indexes': [models.Index(fields=['-started_at', '-log'], name='match_started'), models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['-ended_at', '-log'], name='match_ended')],
            },
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.UUIDField(default=matches.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('act_id', models.UUIDField()),
                ('act', models.TextField()),
                ('after', models.CharField(blank=True, max_length=36)),
                ('since', models.PositiveIntegerField(default=0)),
                ('irregular', models.BooleanField(default=False)),
                ('note', models.TextField(blank=True)),
                ('said_at', models.DateTimeField(null=True)),
                ('device', models.UUIDField(null=True)),
                ('kept_at', models.DateTimeField(auto_now_add=True)),
                ('state', models.CharField(choices=[('open', 'Open'), ('accepted', 'Accepted'), ('merged', 'Merged'), ('dismissed', 'Dismissed')], default='open', max_length=10)),
                ('version', models.PositiveIntegerField(null=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='matches.player')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='matches.player')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='matches.match')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('match', 'act_id'), name='proposal_act_id')],
            },
        ),
        migrations.CreateModel(
            name='ScribeLease',
            fields=[
                ('id', models.UUIDField(default=matches.models.base.uuid7, editable=False, primary_key=True, serialize=False)),
                ('device', models.UUIDField()),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('taken_at', models.DateTimeField(auto_now_add=True)),
                ('used_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('taken_away', models.BooleanField(default=False)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='matches.player')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='matches.player')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scribes', to='matches.match')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['match', 'device'], name='matches_scr_match_i_c9def4_idx')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('match',), name='scribe_of_match')],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('label', models.CharField(max_length=80)),
                ('link', models.UUIDField(default=uuid.uuid4)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='seats', to='matches.player')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='matches.match')),
            ],
            options={
                'ordering': ['match_id', 'number'],
                'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='seat_number')],
            },
        ),
        migrations.CreateModel(
            name='SeatResult',
            fields=[
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='result', serialize=False, to='matches.seat')),
                ('result', models.CharField(blank=True, choices=[('won', 'Won'), ('drawn', 'Drawn'), ('lost', 'Lost')], max_length=10)),
                ('public_result', models.CharField(blank=True, choices=[('won', 'Won'), ('drawn', 'Drawn'), ('lost', 'Lost')], max_length=10)),
            ],
        ),
    ]
