"""Jobs of workers, for the actor who asked: progress, cancelling, the file."""

from uuid import UUID

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from matches import jobs
from matches.actors import Actor
from matches.api import shapes
from matches.api.base import Endpoint, NoQuery, ZipRenderer, parameters
from matches.jobkinds import kind_of
from matches.models import Job
from matches.views.jobs import file_response


def job_response(job: Job, actor: Actor, request: Request) -> shapes.JobResponse:
    return shapes.JobResponse(
        id=job.pk,
        kind=job.kind,
        title=jobs.title_of(job),
        state=job.state.value,  # type: ignore[arg-type]  # the same words
        done=job.done,
        total=job.total,
        asked_at=job.created_at,
        done_at=job.done_at,
        why=jobs.why(job),
        result=kind_of(job).result_for(actor, job),
        file=_file(job, request),
        url=reverse("api:job", args=[job.pk], request=request),
    )


def _file(job: Job, request: Request) -> shapes.JobFile | None:
    until = jobs.kept_until(job)
    if until is None:
        return None
    return shapes.JobFile(
        name=job.result["file"],
        bytes=job.result["bytes"],
        url=reverse("api:job-file", args=[job.pk], request=request),
        until=until,
    )


def accepted(job: Job, actor: Actor, request: Request) -> Response:
    """Answer 202 for a job, with the address of its progress."""
    answer = job_response(job, actor, request)
    return Response(answer, status=202, headers={"Location": answer.url})


class JobsView(Endpoint):
    paged = True

    @extend_schema(
        operation_id="jobs_list",
        tags=["jobs"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Jobs,
    )
    def get(self, request: Request) -> Response:
        """List the jobs you asked for, newest first."""
        found = jobs.jobs_of(self.actor).order_by("-id")
        return Response(self.page(found, lambda job: job_response(job, self.actor, request)))


class OfJob(Endpoint):
    @property
    def job(self) -> Job:
        return jobs.job_for(self.actor, self.kwargs["job_id"])


class JobView(OfJob):
    @extend_schema(operation_id="jobs_read", tags=["jobs"], responses=shapes.JobResponse)
    def get(self, request: Request, job_id: UUID) -> Response:
        """Get the progress and the result of a job that you asked for."""
        return Response(job_response(self.job, self.actor, request))


class CancelView(OfJob):
    @extend_schema(
        operation_id="jobs_cancel",
        tags=["jobs"],
        request=shapes.EmptyRequest,
        responses=shapes.JobResponse,
    )
    def post(self, request: Request, job_id: UUID) -> Response:
        """Cancel a job; one that has ended stays as it is."""
        self.body(shapes.EmptyRequest)
        job = self.job
        jobs.cancel(self.actor, job)
        return Response(job_response(job, self.actor, request))


class FileView(OfJob):
    renderer_classes = [*Endpoint.renderer_classes, ZipRenderer]

    @extend_schema(
        operation_id="jobs_file",
        tags=["jobs"],
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, job_id: UUID) -> FileResponse:
        """Get the file that a job made, while it is kept."""
        job = self.job
        return file_response(job, jobs.open_file(self.actor, job))
