"""Settings, from the environment; a bad value stops the start.

Safe by default: DEBUG is off, and a secret key is made on the first run under `DATA`.
"""

import os
import secrets
from pathlib import Path

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from deploy import environment as env
from matches.keeping import kept

BASE_DIR = Path(__file__).resolve().parent.parent

# All data is written here: database, secret key, static files, task queue. Created here, the folder
# is private to its owner; if a web server reads static files from it, create it beforehand.
DATA = Path(env.text("DATA", str(BASE_DIR / "var"))).resolve()
try:
    DATA.mkdir(mode=0o700, parents=True, exist_ok=True)
except OSError as error:
    raise ImproperlyConfigured(f"DATA is {str(DATA)!r}; it must be a folder we may use") from error
DEBUG = env.flag("DEBUG")


def _secret_key() -> str:
    """Return the key from the environment, or the one kept under `DATA`, made on first run."""
    key = env.text("SECRET_KEY") or kept(DATA / "secret_key", lambda: secrets.token_urlsafe(50))
    if len(key) < 32:
        raise ImproperlyConfigured("SECRET_KEY is too short; it must have 32 characters or more")
    return key


SECRET_KEY = _secret_key()
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS", [])
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])

# HTTPS=1: a proxy in front speaks it, and says so in X-Forwarded-Proto.
# PROXIES: how many of them add an address to X-Forwarded-For.
HTTPS = env.flag("HTTPS")
PROXIES = env.number("PROXIES", 1 if HTTPS else 0)
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # HSTS for subdomains is for their owner to decide
    "security.W021",
]
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_AGE = 30 * 24 * 3600  # seconds
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024  # bytes of a form

INSTALLED_APPS = [
    "deploy.installed.Admin",  # django.contrib.admin
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",  # so that widgets find their templates through ours
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "axes",
    "matches",
    "characters",
    "league",
    "deploy",
]

MIDDLEWARE = [
    "deploy.request_log.Observed",
    "deploy.probes.Probes",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "matches.replica.StrangersReadTheCopy",
    "deploy.csp_header.ContentPolicy",
    "deploy.page_middleware.Session",
    "deploy.languages.Language",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "deploy.page_middleware.Authentication",
    "deploy.page_middleware.Messages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "deploy.page_middleware.Htmx",
    "matches.middleware.RefusedPages",
    "allauth.account.middleware.AccountMiddleware",
    "deploy.accounts.FormStatus",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "matches.context.shell",
            ],
            "builtins": ["django.templatetags.i18n"],  # every page has texts
        },
    },
]
FORM_RENDERER = "matches.forms.Renderer"

# -- database ---------------------------------------------------------------------------

# DATABASE_URL serves. OWNER_DATABASE_URL, on PostgreSQL, owns the tables and is for
# `manage.py migrate` and `grant` alone: servers and workers are started without it.
DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{DATA / 'zgxl.sqlite3'}")}
if env.text("OWNER_DATABASE_URL"):
    DATABASES["owner"] = env.database("OWNER_DATABASE_URL", "")
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["CONN_MAX_AGE"] = None  # opening one takes longer than most responses
    DATABASES["default"]["OPTIONS"] = {
        # Every transaction takes the write lock at once: a read followed by a write never
        # finds its snapshot gone stale.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;"
            "PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY; PRAGMA journal_size_limit=67108864;"
        ),
    }
else:
    # A query that a connection runs for the sixth time is prepared on the server.
    _prepares = env.flag("DATABASE_PREPARE", default=True)
    _PREPARING = {"server_side_binding": _prepares, "prepare_threshold": 5 if _prepares else None}
    # A machine that lost its power answers nothing, not even that it is away: without these, those
    # who use a connection to it wait as long as the kernel tries, a quarter of an hour.
    DATABASE_KEEPALIVE = {
        "connect_timeout": 5,  # seconds
        "tcp_user_timeout": 5000,  # milliseconds until what was sent has to be acknowledged
        "keepalives_idle": 10,  # seconds
        "keepalives_interval": 5,  # seconds
        "keepalives_count": 2,
    }
    DATABASES["default"] |= {
        "ENGINE": "deploy.postgresql",  # checks each connection that the pool kept
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            **DATABASE_KEEPALIVE,
            **DATABASES["default"].get("OPTIONS", {}),
            **_PREPARING,
            "pool": {
                "min_size": 1,
                "max_size": env.number("DATABASE_POOL", 10, least=1),
                "timeout": 5,  # seconds that a request waits for a connection
                # seconds; beyond, one that came back would be tried again ever more rarely
                "reconnect_timeout": 5,
            },
        },
    }
PG_BIN = env.text("PG_BIN")  # where pg_dump and pg_restore lie, if not on PATH
WEB_ROLE = ""  # the role that gets the rights to serve
if "owner" in DATABASES:
    if not all(each["ENGINE"].endswith(".postgresql") for each in DATABASES.values()):
        raise ImproperlyConfigured(
            "OWNER_DATABASE_URL is set; it and DATABASE_URL must be postgres:"
        )
    WEB_ROLE = DATABASES["default"]["USER"]
    if not WEB_ROLE or DATABASES["owner"]["USER"] == WEB_ROLE:
        raise ImproperlyConfigured("DATABASE_URL must name a role other than OWNER_DATABASE_URL's")
# REPLICA_URL: a streaming replica, from which anonymous readers' pages are read while it is at most
# REPLICA_LAG seconds behind.
REPLICA_LAG = env.number("REPLICA_LAG", 5, least=1)
if env.text("REPLICA_URL"):
    DATABASES["replica"] = env.database("REPLICA_URL", "")
    if not all(each["ENGINE"].endswith(".postgresql") for each in DATABASES.values()):
        raise ImproperlyConfigured("REPLICA_URL is set; it and DATABASE_URL must be postgres:")
    DATABASES["replica"] |= {
        "ENGINE": "deploy.postgresql",
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            **DATABASE_KEEPALIVE,
            **DATABASES["replica"].get("OPTIONS", {}),
            **_PREPARING,
            "connect_timeout": 2,  # seconds: without it all is read from DATABASE_URL
            "pool": DATABASES["default"]["OPTIONS"]["pool"] | {"timeout": 2},
        },
    }
# Timeouts of servers' PostgreSQL sessions in seconds, 0 for none (deploy/limits.py). Every entry of
# a log needs a lock on one row: a session that held it for ever would block the site.
DATABASE_LIMITS = {
    "statement_timeout": env.number("DATABASE_STATEMENT_TIMEOUT", 30),
    "lock_timeout": env.number("DATABASE_LOCK_TIMEOUT", 10),
    "idle_in_transaction_session_timeout": env.number("DATABASE_IDLE_TIMEOUT", 30),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Rates of the API are counted here: one process counts alone, several need CACHE_URL=redis://…
CACHES = {"default": env.cache("CACHE_URL", "locmemcache://")}
if CACHES["default"]["BACKEND"] == "django.core.cache.backends.redis.RedisCache":
    CACHES["default"] |= {
        "BACKEND": "deploy.caching.OptionalRedisCache",
        "OPTIONS": {
            "socket_connect_timeout": 0.5,  # seconds
            "socket_timeout": 0.5,
            **CACHES["default"].get("OPTIONS", {}),
        },
    }

# -- accounts ---------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "deploy.accounts.Backend",
    "allauth.account.auth_backends.AuthenticationBackend",  # for sessions that began before
    "league.backends.LeagueBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
AXES_FAILURE_LIMIT = env.number("LOGIN_FAILURE_LIMIT", 10, least=1)
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "deploy.clients.address"
AXES_USERNAME_CALLABLE = "deploy.accounts.username"
AXES_DISABLE_ACCESS_LOG = True  # sign-in times are private
AXES_LOCKOUT_CALLABLE = "deploy.api.locked_out"
ACCOUNT_ADAPTER = "deploy.accounts.Accounts"
ACCOUNT_FORMS = {"login": "deploy.accounts.Login", "signup": "deploy.accounts.SignUp"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_SIGNUP_FORM_CLASS = "matches.forms.accounts.SignUpForm"
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"  # nobody learns whose address has an account
ACCOUNT_EMAIL_SUBJECT_PREFIX = "ZGXL: "
ACCOUNT_EMAIL_NOTIFICATIONS = True  # of a changed password or second factor
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before changing an address: password resets go there
# axes counts wrong passwords by name and address together. Beyond that: many names from one
# address, one name from many, and codes of second factors.
ACCOUNT_RATE_LIMITS = {"login_failed": "60/15m/ip,30/15m/key"}
MFA_ADAPTER = "deploy.accounts.SecondFactors"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "ZGXL"
MFA_TOTP_TOLERANCE = 1  # steps of 30 s: a code typed as it changes is still taken
STAFF_SECOND_FACTOR = env.flag("STAFF_SECOND_FACTOR", default=HTTPS)  # before the admin opens

# Without EMAIL_URL mail is printed by the web process, for whoever runs a demo.
vars().update(env.email("EMAIL_URL", "consolemail://"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("MAIL_FROM", "ZGXL <zgxl@localhost>")
EMAIL_TIMEOUT = 20  # seconds
# The site's address, for links in mail; `serve` sets it by itself.
SITE_URL = env.site("SITE_URL", "http://localhost:8000")
# Hosts of one's own network that webhooks may call, by http and at any port; all others need public
# addresses and https.
WEBHOOK_HOSTS = env.hosts("WEBHOOK_HOSTS", [])
ADDRESS_BOOK = "deploy.accounts.addresses"  # returns accounts' confirmed addresses

# -- language and time ------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600  # seconds
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "deploy" / "locale"]
FORMAT_MODULE_PATH = ["deploy.formats"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

# -- static files and content policy ------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
WHITENOISE_ROOT = BASE_DIR / "deploy" / "root"  # files that browsers expect at the root
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "deploy.storage.HashedFiles"},
}
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [SELF],
        "frame-ancestors": [NONE],
    }
}

# -- API ----------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["deploy.api.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["deploy.api.JSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "deploy.api.Negotiation",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "matches.api.auth.KeyAuthentication",
        "deploy.api.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PAGINATION_CLASS": "deploy.api.CursorPagination",
    "DEFAULT_THROTTLE_CLASSES": [
        "matches.api.throttling.SpacedAnonymous",
        "matches.api.throttling.SpacedUser",
        "rest_framework.throttling.ScopedRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.rate("API_RATE_ANON", "300/min"),
        "user": env.rate("API_RATE_USER", "3000/min"),
        "token": env.rate("API_RATE_TOKEN", "20/min"),
        "wrong-key": env.rate("API_RATE_WRONG_KEY", "30/min"),
        "heavy": env.rate("API_RATE_HEAVY", "60/min"),
    },
    "NUM_PROXIES": PROXIES,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "deploy.api.on_error",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "ZGXL",
    "DESCRIPTION": "Event-sourced match logs and leagues. [For programs](/developers/) has "
    "requests to copy; [the guide](/developers/guide.md) goes through every part.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_PATCH": False,  # a change has a shape of its own
    "POSTPROCESSING_HOOKS": [
        "deploy.openapi.add_bodies",
        "deploy.openapi.add_conditions",
        "deploy.openapi.add_streams",
        "deploy.openapi.add_webhooks",
        "deploy.openapi.add_problems",
        "deploy.openapi.add_formats",
        "deploy.openapi.add_path_words",
        "deploy.openapi.add_summaries",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
}

# -- tasks ----------------------------------------------------------------------------------

CELERY_BROKER_URL = env.broker("BROKER_URL", "filesystem://localhost")
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, str | int]
if CELERY_BROKER_URL.startswith("filesystem:"):
    _queue = {name: DATA / "queue" / name for name in ("messages", "control", "processed")}
    for _folder in _queue.values():
        _folder.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue["messages"]),
        "data_folder_out": str(_queue["messages"]),
        "control_folder": str(_queue["control"]),
        "processed_folder": str(_queue["processed"]),
    }
else:
    # A wake-up is tried once, as a request waits for it.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"max_retries": 0}
    if CELERY_BROKER_URL.startswith(("redis", "sentinel")):
        CELERY_BROKER_TRANSPORT_OPTIONS |= {"socket_connect_timeout": 1, "socket_timeout": 1}
CELERY_BROKER_CONNECTION_TIMEOUT = 1  # seconds, of other brokers
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
# Celery would close a worker's pool of connections before and after each task; deploy/celery.py
# gives a task's connection back to it instead.
CELERY_DB_REUSE_MAX = 10**9
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = TIME_ZONE
CELERY_TASK_TIME_LIMIT = 600
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # a long task holds no others back
CELERY_BEAT_SCHEDULER = "deploy.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "matches.tasks.sweep", "schedule": 60.0},
    "wake-overdue": {"task": "matches.tasks.wake_overdue", "schedule": 10.0},
    "letters": {"task": "league.tasks.send_all_letters", "schedule": 60.0},
    "rounds": {"task": "league.tasks.pair_all_scheduled", "schedule": 15.0},
    "reminders": {"task": "league.tasks.send_reminders", "schedule": 60.0},
    "webhooks": {"task": "league.tasks.deliver_all", "schedule": 15.0},
    "catch-up": {"task": "matches.tasks.catch_up", "schedule": 600.0},
    "heads": {"task": "matches.tasks.write_heads", "schedule": crontab(hour=3, minute=10)},
    "verify-all": {"task": "matches.tasks.verify_all", "schedule": crontab(hour=3, minute=30)},
}

# Files made by jobs are kept here for a week at most; shared by web and workers.
JOBS_DIR = Path(env.text("JOBS_DIR", str(DATA / "jobs")))

# -- the log --------------------------------------------------------------------------------

VERIFY_NIGHTS = env.number("VERIFY_NIGHTS", 30, least=1)  # to verify each log once

# Signed heads are written to HEADS_DIR, which the web process should only read; HEADS_KEY_FILE is
# the signing key, created on the first run; HEADS_PUBLIC_KEY pins the trusted key.
HEADS_DIR = Path(env.text("HEADS_DIR", str(DATA / "heads")))
HEADS_KEY_FILE = Path(env.text("HEADS_KEY_FILE", str(DATA / "heads_key")))
HEADS_PUBLIC_KEY = env.hexadecimal("HEADS_PUBLIC_KEY", digits=64)
# Append-only tables, and tables from which the web role never deletes.
APPEND_ONLY = ["matches.Event", "characters.LedgerEntry"]
NEVER_DELETED = [
    *(
        f"matches.{model}"
        for model in ("FeedHead", "Log", "Match", "Note", "Player", "Publication")
    ),
    *(
        f"characters.{model}"
        for model in ("Appearance", "Character", "FieldedItem", "GearItem", "LedgerWords")
    ),
    "league.Tournament",
]
LOG_FOLLOWERS: list[str] = [
    "matches.headlines.Headlines",
    "matches.records.PlayerRecords",
    "matches.tallies.SpinTallies",
    "characters.followers.Stories",
    "league.followers.Desks",
    "league.followers.TableReports",
    "league.ratings.Ratings",
    "league.notices.Letters",
    "league.happenings.Happenings",
    "league.publishing.Publications",
]
FEED_LOGS = ["matches.feed.Matches", "league.publishing.Tournaments"]  # kinds of logs in the feed
# How higher floors erase a person.
ERASERS = ["characters.erasing.erase", "league.erasing.erase"]
# What higher floors say before an erasure: what is erased, what stays, what nobody else runs.
ERASURES_TOLD = ["characters.erasing.describe"]
RUN_ALONE = ["league.erasing.run_alone"]
# What floors contribute when an account claims a guest.
CLAIMERS = [
    "matches.claiming.Matches",
    "characters.claiming.Characters",
    "league.claiming.Leagues",
]
MATCH_PANELS = [
    "league.panels.at_table",
    "characters.panels.fielded",
]  # panels of higher floors on a match's page
MATCH_HEADS = ["characters.panels.who_fights"]  # lines of theirs in its head
LOGGER_PANELS = ["league.panels.clock", "league.panels.onward"]  # and in the head of its logger
GAME_PANELS = ["characters.panels.in_logged_play"]  # and on a page that a game adds
RECORD_PANELS = ["league.panels.entered_as"]  # and on the record of a character
MATCH_RULERS = ["league.backends.ruled_matches"]  # which matches they let an actor rule
MATCH_TITLES = ["league.titles.worded"]  # word titles and places that higher floors write
CARD_LIBRARIES = ["characters.cards.printed"]  # look up the cards of deck lists
MATCH_SPOILERS = ["league.spoilers.later_rounds"]  # matches that give away a result
HOME_OWN_PANELS = ["league.panels.my_tables"]  # panels on home about the reader's own things,
HOME_PANELS = ["league.panels.on_and_next"]  # and about what is on
HOME_WAITING = ["characters.steps.offers"]  # and what may wait for the reader's answer
FIRST_STEPS = [
    "matches.steps.at_tables",
    "characters.steps.make_a_character",
    "league.steps.play_in_company",
]  # first steps of a new account
JOB_KINDS = [
    "matches.verify.Verification",
    "matches.exporting.Everything",
    "league.parcels.LeagueParcel",
]  # kinds of jobs
EXPORTERS = ["characters.exporting.export"]  # higher floors' part of a person's export
VERIFIERS = ["characters.audit.problems"]  # checks of higher floors that `verify` runs

# -- live streams ---------------------------------------------------------------------------

# STREAMS=1 if an ASGI process serves streams beside the others: pages then listen, and every change
# of a log notifies. LISTEN_DATABASE_URL is the database itself if DATABASE_URL is a pooler.
STREAMS = env.flag("STREAMS")
STREAM_LIMIT = env.number("STREAM_LIMIT", 5000, least=1)
STREAM_LIMIT_ADDRESS = env.number("STREAM_LIMIT_ADDRESS", 500, least=1)
LISTEN_DATABASE_URL = env.text("LISTEN_DATABASE_URL")
STREAM_SOURCES = [
    "matches.streams.EntriesSource",
    "matches.streams.PageSource",
    "league.streams.EntriesSource",
    "league.streams.PageSource",
]

# -- what is watched ------------------------------------------------------------------------

# /metrics needs METRICS_TOKEN. Several processes of a machine share their metrics in a folder,
# which is emptied before they start.
METRICS_TOKEN = env.text("METRICS_TOKEN")
METRICS_DIR = env.text("PROMETHEUS_MULTIPROC_DIR")
if METRICS_DIR:
    try:
        Path(METRICS_DIR).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"PROMETHEUS_MULTIPROC_DIR is {METRICS_DIR!r}; it must be a folder we may use"
        ) from error
else:
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)  # set, even if empty, the library would use it

# The outboxes of each floor, for /metrics.
OUTBOXES = ["matches.metrics.outboxes", "league.metrics.outboxes"]

LOG_FORMAT = env.choice("LOG_FORMAT", "line", ("line", "json"))
LOG_REQUESTS = env.flag("LOG_REQUESTS", default=LOG_FORMAT == "json")  # a line for each

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "deploy.log_lines.LogLine",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "deploy.log_lines.JsonLine"},
    },
    "filters": {"one_line": {"()": "deploy.log_lines.OneLine"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {
        "handlers": ["console"],
        "level": env.choice("LOG_LEVEL", "WARNING", ("DEBUG", "INFO", "WARNING", "ERROR")),
    },
    # Django's own handlers would mail, or print only while debugging.
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.security.DisallowedHost": {"filters": ["one_line"]},
        "zgxl.requests": {"level": "INFO" if LOG_REQUESTS else "WARNING"},
    },
}
