"""What an operator is told by a command that its surroundings stop: one line, and status 1."""

from pathlib import Path

import pytest

from tests import site

ROOT = Path(site.__file__).resolve().parents[1]
RUN = """
import sys
from deploy import commandline
for line in sys.argv[1:]:
    try:
        commandline.run(["manage.py", *line.split()])
    except SystemExit as end:
        print(line.split()[0], end.code)
"""
ARGUMENTS = {
    "archive": "0190b0a0-0000-7000-8000-000000000000 {0}/archive",
    "backup": "{0}/copies",
    "drill": "{0}/copy.dump",
    "erase_person": "ada",
    "import_tournament": "{0}",
    "paste_sheet": "{0}",
    "practise": "ada",
    "restore": "{0}",
}
THAT_MIGRATE = {"migrate", "serve"}


def lines_of(*command: str, **environ: str) -> list[str]:
    """Run a command that must fail, and return what it says."""
    ended = site.started("manage.py", *command, **environ)
    assert ended.returncode == 1, ended.stdout
    return ended.stderr.splitlines()


@pytest.mark.sqlite
def test_every_command_says_in_a_line_that_nothing_is_there_yet(tmp_path: Path) -> None:
    found = {path.stem for path in ROOT.glob("[!t.]*/management/commands/[!_]*.py")}
    names = sorted(found - THAT_MIGRATE)
    assert set(ARGUMENTS) < set(names)
    lines = [f"{name} {ARGUMENTS.get(name, '')}".format(tmp_path) for name in names]
    nothing = f"sqlite:///{tmp_path}/none.sqlite3"

    ended = site.started("-c", RUN, *lines, DATABASE_URL=nothing, DATA=str(tmp_path))

    assert ended.stdout.splitlines() == [f"{name} 1" for name in names]
    told = ended.stderr.splitlines()
    assert len(told) == len(names), ended.stderr
    assert all(line.startswith("CommandError: ") for line in told)
    verified = told[names.index("verify")]
    assert "none.sqlite3 has no tables of a site" in verified
    assert "manage.py migrate" in verified


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("postgres://me:hush@127.0.0.1:1/zgxl", "PostgreSQL at 127.0.0.1:1 gives no connection"),
        ("postgres://me:hush@nowhere.invalid/zgxl", "PostgreSQL at nowhere.invalid:5432"),
        ("sqlite:////nowhere/zgxl.sqlite3", "/nowhere/zgxl.sqlite3 does not work: unable to open"),
        (f"sqlite:///{__file__}", "does not work: file is not a database"),
        ("mysql://me:hush@localhost/zgxl", "begins with sqlite: or postgres:"),
    ],
)
def test_a_database_that_cannot_be_worked_with_is_named_with_its_fault(
    url: str, named: str
) -> None:
    (line,) = lines_of("verify", DATABASE_URL=url)
    assert line.startswith("CommandError: ")
    assert named in line
    assert "hush" not in line


@pytest.mark.sqlite
def test_a_folder_for_copies_that_is_a_file_is_named(database_url: str) -> None:
    assert lines_of("backup", __file__) == [f"CommandError: {__file__}: File exists"]


@pytest.mark.sqlite
def test_an_error_of_ours_keeps_its_traceback(database_url: str) -> None:
    """So does any other where it is asked for."""
    assert "Traceback" in lines_of("shell", "-v0", "-c", "1/0")[0]
    assert "Traceback" in lines_of("backup", __file__, "--traceback")[0]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_what_only_the_owner_may_do_names_whose_url_is_wanted() -> None:
    (line,) = lines_of(
        "shell",
        "-v0",
        "-c",
        "from matches.models import Event; Event.objects.all()._raw_delete('default')",
    )
    assert "permission denied for table matches_event" in line
    assert "OWNER_DATABASE_URL" in line
