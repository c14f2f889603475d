"""Jobs of workers: progress, cancelling, asking again, the file."""

from typing import IO
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HTMX_STOP_POLLING

from matches import exporting, jobs
from matches.actors import actor_of
from matches.jobkinds import kind_of
from matches.models import Job
from matches.pages import HtmxRequest

SHOWN = 20


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def job_list(request: HttpRequest) -> HttpResponse:
    """List one's recent jobs; ask for an export of all one owns."""
    actor = actor_of(request)
    if request.method == "POST":
        return redirect(jobs.ask(exporting.Everything.name, by=actor))
    rows = [(job, jobs.title_of(job)) for job in jobs.jobs_of(actor)[:SHOWN]]
    return render(request, "matches/job_list.html", {"asked": rows})


@login_required
@never_cache
@require_safe
def job_detail(request: HtmxRequest, pk: UUID) -> HttpResponse:
    """Show a job's progress and result; to htmx only that part, with 286 once it is over."""
    job = jobs.job_for(actor_of(request), pk)
    context = {
        "job": job,
        "title": jobs.title_of(job),
        "page": kind_of(job).page(job),
        "why": jobs.why(job),
        "kept_until": jobs.kept_until(job),
    }
    if not request.htmx:
        return render(request, "matches/job_detail.html", context)
    status = 200 if job.done_at is None else HTMX_STOP_POLLING
    return render(request, "matches/_job.html", context, status=status)


@require_POST
@login_required
def job_cancel(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Cancel a job."""
    actor = actor_of(request)
    job = jobs.job_for(actor, pk)
    jobs.cancel(actor, job)
    return redirect(job)


@require_POST
@login_required
def job_again(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask for the same job again."""
    actor = actor_of(request)
    return redirect(jobs.ask_again(actor, jobs.job_for(actor, pk)))


@login_required
@never_cache
@require_safe
def job_file(request: HttpRequest, pk: UUID) -> FileResponse:
    """Download the file of one's job."""
    actor = actor_of(request)
    job = jobs.job_for(actor, pk)
    return file_response(job, jobs.open_file(actor, job))


def file_response(job: Job, file: IO[bytes]) -> FileResponse:
    """Return the open file of a job as a response."""
    return zip_response(job.result["file"], file)


def zip_response(name: str, file: IO[bytes]) -> FileResponse:
    """Return an open zip as a streaming response, which closes it."""
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
