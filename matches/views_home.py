"""Home and the settings of one reader."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from matches.forms import ThemeForm

YEAR = 365 * 24 * 3600


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what is live, what just ended, and how to begin."""
    return render(request, "matches/home.html")


@require_http_methods(["GET", "HEAD", "POST"])
def theme_set(request: HttpRequest) -> HttpResponse:
    """Keep the theme in a cookie that the server reads."""
    form = ThemeForm(request.POST or None, initial={"theme": request.COOKIES.get("theme", "auto")})
    if not form.is_valid():
        return render(request, "matches/theme_set.html", {"form": form})
    answer = redirect("matches:theme-set")
    answer.set_cookie("theme", form.cleaned_data["theme"], max_age=YEAR, samesite="Lax")
    return answer
