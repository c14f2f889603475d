"""What anyone needs to check the site from outside."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from matches import heads
from matches.api import shapes
from matches.api.base import OpenEndpoint


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
