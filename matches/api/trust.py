"""What anyone needs to check the site from outside."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from matches import certificates, heads, policy, selectors, services, verify
from matches.api import shapes
from matches.api.base import SEAT, OpenEndpoint
from matches.api.jobs import accepted
from matches.api.matches import OfMatch
from rules import certificate


class HeadsView(OpenEndpoint):
    @extend_schema(operation_id="heads", tags=["heads"], responses=shapes.HeadsResponse)
    def get(self, request: Request) -> Response:
        """Get the public key (Ed25519) that signs the heads kept outside, and the newest file."""
        outside = heads.read()
        newest = outside.newest
        answer = shapes.HeadsResponse(
            key=heads.public_key(),
            files=outside.files,
            newest=newest.number if newest else None,
            written_at=newest.time if newest else None,
            digest=outside.digest,
        )
        return Response(answer)


class VerifyView(OfMatch):
    throttle_scope = "heavy"

    @extend_schema(
        operation_id="matches_verify",
        tags=["matches"],
        parameters=[SEAT],
        responses=verify.Report,
    )
    def get(self, request: Request, code: str) -> Response:
        """Verify the log now: its chain, every act decided again, every draw of the site.

        Of a match that is held back from you, as much as you are shown.
        """
        match = self.match
        policy.require_verify(self.actor, match)
        last = selectors.shown_version(self.actor, match)
        upto = last if selectors.held_back(self.actor, match) else None
        return Response(verify.verify(match.log, upto))

    @extend_schema(
        operation_id="matches_ask_verify",
        tags=["matches"],
        request=shapes.EmptyRequest,
        responses={202: shapes.JobResponse},
    )
    def post(self, request: Request, code: str) -> Response:
        """Have a worker verify a long log; `Location` has its progress. It takes an account."""
        self.body(shapes.EmptyRequest)
        match = self.match
        policy.require_account(self.actor)
        job = services.request_verify(match=match, by=self.actor)
        return accepted(job, self.actor, request)


class CertificateView(OfMatch):
    of_results = True

    throttle_scope = "heavy"

    @extend_schema(
        operation_id="matches_certificate",
        tags=["matches"],
        responses=certificate.Certificate,
    )
    def get(self, request: Request, code: str) -> Response:
        """Get the certificate of a match that is over and all public: it proves itself.

        `python -m rules verify FILE` checks it with neither site nor database.
        """
        return Response(certificates.certificate_of(self.match))
