"""Routes: a URL belongs to the highest floor that serves it."""

from django.contrib import admin
from django.contrib.sitemaps.views import index, sitemap
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from deploy.accounts import AddressPage, ConfirmPage, SecondFactorPage, SignUpPage
from deploy.api import unknown
from deploy.crawlers import MAPS, robots
from deploy.developers import developers, document
from deploy.openapi import DocsView, RootView
from deploy.proof import proof
from deploy.routes import first, highest

api: list[URLPattern | URLResolver] = [
    path("", RootView.as_view(), name="root"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("docs/", DocsView.as_view(url_name="api:schema"), name="docs"),
    *sorted(highest("league.api.urls", "characters.api.urls", "matches.api.urls"), key=first),
]
handler400 = "deploy.api.bad_request"
handler500 = "deploy.api.server_error"

urlpatterns = [
    path("api/v1/", include((api, "api"))),
    re_path("^api/", unknown),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
    path("robots.txt", robots, name="robots"),
    path(
        "sitemap.xml", index, {"sitemaps": MAPS, "sitemap_url_name": "sitemap-part"}, name="sitemap"
    ),
    path("sitemap-<section>.xml", sitemap, {"sitemaps": MAPS}, name="sitemap-part"),
    path("proof/", proof, name="proof"),
    path("developers/", developers, name="developers"),
    path("developers/guide.md", document, {"name": "api.md"}, name="guide"),
    path("developers/examples/client.py", document, {"name": "examples/client.py"}, name="client"),
    path("signup/", SignUpPage.as_view(), name="account_signup"),
    path("email/", AddressPage.as_view(), name="account_email"),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$", ConfirmPage.as_view(), name="account_confirm_email"
    ),
    path("", include("allauth.account.urls")),
    path("second-factor/totp/activate/", SecondFactorPage.as_view(), name="mfa_activate_totp"),
    path("second-factor/", include("allauth.mfa.urls")),
    path("sessions/", include("allauth.usersessions.urls")),
    path("", include("league.urls")),
    path("", include("characters.urls")),
    path("", include("matches.urls")),
]
