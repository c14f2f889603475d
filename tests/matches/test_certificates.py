"""A finished, fully public match has a certificate, the same for everyone; no other match has."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client

import rules
from matches import heads, selectors, services
from matches.actors import NOBODY, Actor
from matches.certificates import certificate_of, has_certificate
from matches.models import Log, Match
from rules import certificate
from rules.__main__ import main
from tests import factories
from tests.api.client import Api, problem

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def outside(settings: Any, tmp_path: Path) -> None:
    settings.HEADS_DIR = tmp_path / "heads"
    settings.HEADS_KEY_FILE = tmp_path / "key"


def ended(**details: Any) -> Match:
    match = factories.played(3, **details)
    factories.record(match, {"type": "game-won", "seat": 2})
    return seen(factories.opener_of(match), match)


def seen(actor: Actor, match: Match) -> Match:
    return selectors.match_for(actor, match.code)


def test_a_certificate_is_verified_without_the_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = ended()
    told = Api().get(f"matches/{match.code}/certificate/")
    page = Client().get(f"/matches/{match.code}/certificate.json")
    assert told.json() == page.json()
    assert page["Content-Disposition"] == f'attachment; filename="{match.code}.certificate.json"'
    assert told.json()["hash"] == match.log.head_hash and "signed" not in told.json()
    assert match.title not in told.content.decode() or not match.title
    file = tmp_path / "certificate.json"
    file.write_bytes(page.content)
    assert main(["verify", str(file)]) == 0
    assert "not signed" in capsys.readouterr().out


def test_a_certificate_has_the_newest_head_signed_by_itself() -> None:
    match = factories.played(3)
    heads.write()
    factories.record(match, {"type": "game-won", "seat": 2})
    match = seen(NOBODY, match)
    early = certificate_of(match)
    assert early.signed and early.signed.version == 4
    finding = certificate.verify(early, heads.public_key())
    assert (finding.problem, finding.signed, finding.first_bad) == ("unsigned", 4, 5)
    heads.write()
    found = certificate_of(match)
    assert found.signed and (found.signed.version, found.signed.hash) == (5, match.log.head_hash)
    assert certificate.verify(found, heads.public_key()).ok
    assert certificate.verify(found, "ab" * 32).problem == "key"


def test_a_file_of_heads_that_was_spoilt_is_passed_over() -> None:
    match = factories.played(3)
    heads.write()
    factories.record(match, {"type": "game-won", "seat": 2})
    heads.write()
    newest = max(heads.directory().glob("*.heads"))
    newest.chmod(0o644)
    newest.write_bytes(newest.read_bytes().replace(b'"signature"', b'"signatura"'))
    early = certificate_of(seen(NOBODY, match)).signed
    assert early and early.version == 4
    newest.write_bytes(b"")
    assert certificate_of(seen(NOBODY, match)).signed == early


def test_files_of_heads_from_before_are_read_and_sign_nothing_by_themselves() -> None:
    match = ended()
    heads.write()
    file = next(heads.directory().glob("*.heads"))
    first, head, _ = file.read_bytes().splitlines(keepends=True)
    plain = json.loads(head)
    del plain["time"], plain["signature"]
    data = first + msgspec.json.encode(plain) + b"\n"
    signature = heads.private_key().sign(data).hex()
    file.chmod(0o644)
    file.write_bytes(data + msgspec.json.encode({"signature": signature}) + b"\n")
    assert not heads.read().flaws and heads.of(match.pk)
    assert certificate_of(match).signed is None


@pytest.mark.parametrize("details", [{"held": True}, {"delay": 3600}, {"visibility": "table"}])
def test_there_is_no_certificate_while_a_match_is_partly_hidden(details: dict[str, Any]) -> None:
    match = ended(**details)
    by = factories.opener_of(match)
    problem(Api(by).get(f"matches/{match.code}/certificate/"), 409, "no-certificate")
    assert not has_certificate(match)
    if "visibility" not in details:
        open_ = factories.played(3)
        hidden = Api().get(f"matches/{match.code}/certificate/")
        assert (
            hidden.json()["detail"]
            == Api().get(f"matches/{open_.code}/certificate/").json()["detail"]
        )
        page = Client().get(f"/matches/{match.code}/").content.decode()
        assert "certificate.json" not in page
    services.change_cut(by=by, match=match, held=False, delay=0, visibility="public")
    assert certificate.verify(certificate_of(seen(NOBODY, match))).ok
    assert "certificate.json" in Client().get(f"/matches/{match.code}/").content.decode()


def test_there_is_no_certificate_of_a_log_that_changed_rules_decide_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = ended()
    monkeypatch.setattr(type(rules.get("score")), "dump", lambda *_: b"[]")
    told = f"matches/{match.code}/certificate/"
    problem(Api().get(told), 409, "broken")
    Log.objects.update(rules_digest="of before")
    problem(Api().get(told), 409, "unverified")


def test_there_is_no_certificate_while_a_match_is_open_or_reopened() -> None:
    match = factories.played(3)
    problem(Api().get(f"matches/{match.code}/certificate/"), 409, "no-certificate")
    match = ended()
    assert has_certificate(match)
    factories.record(match, {"type": "taken-back", "to": 1})
    assert not has_certificate(seen(NOBODY, match))
