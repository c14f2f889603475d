"""The list of matches, narrowed by tournament too."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.forms.matches import PlayedAtFilter
from matches.views import matches


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    """List the matches one may see, newest first, narrowed by the filters."""
    return matches.match_list(request, PlayedAtFilter)
