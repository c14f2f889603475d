"""One's own account: signing up, the name at the table, the key for programs."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account_detail(request: HttpRequest) -> HttpResponse:
    """Show one's account."""
    return render(request, "matches/account_detail.html")
