"""Players, matches and seats by hand; the log itself is only to be looked at.

A match is opened and recorded on its own pages, where the rules are asked. What is typed here
is what stands around a log: titles, places, who sits where. Nothing of a log is ever changed.
"""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group, User
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from matches import cuts, erasing, followers, policy, proposals, services, verifications
from matches.errors import Refused
from matches.forms import refuse
from matches.models import (
    Checkpoint,
    Claim,
    Event,
    FollowJob,
    Job,
    Log,
    Match,
    Note,
    Player,
    Proposal,
    ScribeLease,
    Seat,
)
from matches.picking import Picking
from matches.policy import actor_of


class CutAdmin(admin.ModelAdmin):
    """Shows only what belongs to logs that the looker is shown to their head.

    `to_log` leads from a row to its log; staff who see less look at the match's own page.
    """

    to_log = "log__"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        if isinstance(request.user, User) and request.user.is_superuser:
            return rows
        whole = Q(**{f"{self.to_log}match__in": policy.whole_matches(actor_of(request))})
        told = Q(**{f"{self.to_log}public_version": None})
        gone = Q(**{f"{self.to_log}status": Log.Status.WITHDRAWN})
        return rows.filter(whole | (told & ~gone))


class Helped(Picking, admin.ModelAdmin):
    """Says below a field what it is for, and in the form why a service did not take it.

    `help_texts` by the name of the field. What one may not, or is not there, has a page.
    """

    help_texts: ClassVar[dict[str, Any]] = {}

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except Refused as refused:  # nothing of it was kept: the view is one transaction
            if refused.status in (403, 404):
                raise
            request.refused = refused  # type: ignore[attr-defined]
            answer = super().changeform_view(request, *args, **kwargs)
            answer.status_code = refused.status
            return answer

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        kwargs.setdefault("help_texts", self.help_texts)
        form = super().get_form(request, obj, change, **kwargs)
        refused = getattr(request, "refused", None)
        return _refusing(form, refused) if refused else form


def _refusing(form: Any, refused: Refused) -> Any:
    """Return a form that is not valid, and why."""

    class Refusing(form):
        def clean(self) -> Any:
            said = super().clean()
            refuse(self, refused)
            return said

    return Refusing


class HelpedRows(Picking, admin.StackedInline):
    """The same below the fields of rows that are edited with another."""

    help_texts: ClassVar[dict[str, Any]] = {}

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        kwargs.setdefault("help_texts", self.help_texts)
        return super().get_formset(request, obj, **kwargs)


class ReadOnly:
    """Nothing can be added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def moment(match: Match, version: int, text: str) -> SafeString:
    """Link to a moment of a match."""
    return format_html('<a href="{}?at={}">{}</a>', match.get_absolute_url(), version, text)


admin.site.unregister([User, Group])


class NewUserForm(AdminUserCreationForm):
    """The admin's own script sets the focus; twice would be once too often."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.pop("autofocus", None)


@admin.register(User)
class PlainUserAdmin(UserAdmin):
    """Users, with lists to choose from that a screen reader can use."""

    add_form = NewUserForm
    filter_horizontal = ()


@admin.register(Group)
class PlainGroupAdmin(GroupAdmin):
    filter_horizontal = ()


@admin.register(Player)
class PlayerAdmin(Helped):
    list_display = ["name", "user", "invited_by", "created_at", "page"]
    search_fields = ["name", "user__username"]
    actions = ["erase"]
    autocomplete_fields = ["user", "invited_by"]
    readonly_fields = ["created_at", "page"]
    list_select_related = ["user", "invited_by"]
    list_filter = [("user", admin.EmptyFieldListFilter), "created_at"]
    help_texts = {
        "name": gettext_lazy(
            "As it is said at the table. It may change: logs know the player, not the name."
        ),
        "user": gettext_lazy("Who signs in as this player. Empty for a guest."),
        "invited_by": gettext_lazy("Whose guest it is, and who may give the guest away by a link."),
    }

    @admin.display(  # type: ignore[call-overload]  # a text that is looked up later is a text
        description=gettext_lazy("Page"), empty_value=gettext_lazy("Once it is saved")
    )
    def page(self, player: Player) -> SafeString | None:
        if player._state.adding:
            return None
        return format_html('<a href="{}">Open</a>', player.get_absolute_url())

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # a log may name them

    def get_actions(self, request: HttpRequest) -> Any:
        actions = super().get_actions(request)
        if not (isinstance(request.user, User) and request.user.is_superuser):
            actions.pop("erase", None)
        return actions

    @admin.action(description=gettext_lazy("Erase these people for good"))
    def erase(self, request: HttpRequest, players: QuerySet[Player]) -> HttpResponse | None:
        """Ask first; then erase each, and say whom it could not."""
        if "sure" not in request.POST:
            context = self.admin_site.each_context(request) | {
                "title": "Erase people for good",
                "people": [erasing.told(player) for player in players],
                "field": ACTION_CHECKBOX_NAME,
                "opts": self.opts,
            }
            return TemplateResponse(request, "admin/erase_people.html", context)
        for player in players:
            try:
                services.erase(by=actor_of(request), player=player)
            except Refused as refused:
                self.message_user(request, f"{player}: {refused.detail}", messages.ERROR)
            else:
                self.message_user(request, gettext("{player} is erased.").format(player=player.pk))
        return None


@admin.register(Claim)
class ClaimAdmin(ReadOnly, admin.ModelAdmin):
    """Which guests were taken over by which accounts. A claim is undone, never removed."""

    list_display = [
        "guest",
        "made_by",
        "made_at",
        "expires_at",
        "taken_by",
        "taken_at",
        "undone_at",
    ]
    list_filter = [("taken_at", admin.EmptyFieldListFilter), "made_at"]
    list_select_related = ["guest", "made_by", "taken_by"]
    search_fields = ["guest__name", "taken_by__name", "taken_by__user__username"]
    exclude = ["link", "moved", "dropped"]
    actions = ["undo"]

    @admin.action(description=gettext_lazy("Undo: give the guest back"), permissions=["view"])
    def undo(self, request: HttpRequest, claims: QuerySet[Claim]) -> None:
        for each in claims.select_related("guest"):
            try:
                services.undo_claim(by=actor_of(request), guest=each.guest)
            except Refused as refused:
                self.message_user(request, f"{each}: {refused.detail}", messages.ERROR)
            else:
                self.message_user(
                    request, gettext("{guest} is a guest again.").format(guest=each.guest)
                )


class SeatInline(Picking, admin.TabularInline):
    model = Seat
    fields = ["number", "label", "player"]
    readonly_fields = ["number", "label"]
    autocomplete_fields = ["player"]
    extra = 0
    can_delete = False

    def formfield_for_foreignkey(self, db_field: Any, request: Any = None, **kwargs: Any) -> Any:
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None:
            field.widget.attrs["aria-label"] = "Player"  # the table's head is no label
        return field

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # the setup says how many there are


@admin.register(Match)
class MatchAdmin(Helped, CutAdmin):
    list_display = ["code", "title", "game", "state", "opener", "started_at", "page"]
    list_filter = ["log__status", "log__ruleset", "visibility", "physical", "sanctioned"]
    list_select_related = ["log", "opener"]
    search_fields = ["code", "title", "place", "seats__player__name"]
    fields = [
        ("title", "place"),
        "physical",
        "sanctioned",
        "visibility",
        "officials",
        ("code", "opener", "started_at", "ended_at"),
        ("page", "seats_page", "cut_page", "correct_page"),
        ("log_page", "log_file", "verify_page"),
    ]
    readonly_fields = [
        *("code", "opener", "started_at", "ended_at"),
        *("page", "seats_page", "cut_page", "correct_page"),
        *("log_page", "log_file", "verify_page"),
    ]
    autocomplete_fields = ["officials"]
    inlines = [SeatInline]
    actions = ["verify", "rebuild", "withdraw", "hold", "release"]
    help_texts = {
        "title": gettext_lazy("Shown above the match. Without one it is called by its code."),
        "place": gettext_lazy("Where the table stands, in words."),
        "physical": gettext_lazy("Cards lie on a table. Otherwise the site draws and spins."),
        "sanctioned": gettext_lazy("It counts for records that ask for an official match."),
        "visibility": gettext_lazy(
            "Who may watch. What everyone has seen already can not be taken back."
        ),
        "officials": gettext_lazy("They rule, confirm and correct at this match."),
    }

    @admin.display(description=gettext_lazy("Game"), ordering="log__ruleset")
    def game(self, match: Match) -> str:
        return match.log.ruleset

    @admin.display(description=gettext_lazy("State"), ordering="log__status")
    def state(self, match: Match) -> str:
        return match.log.get_status_display()

    @admin.display(description=gettext_lazy("Page"))
    def page(self, match: Match) -> SafeString:
        return format_html('<a href="{}">Open</a>', match.get_absolute_url())

    @admin.display(description=gettext_lazy("Held back"))
    def cut_page(self, match: Match) -> SafeString:
        url = reverse("matches:match-cut", args=[match.code])
        return format_html('<a href="{}">Open</a>', url)

    @admin.display(description=gettext_lazy("Correct an act"))
    def correct_page(self, match: Match) -> SafeString:
        return format_html(
            '<a href="{}#log">From its line in the log</a>', match.get_absolute_url()
        )

    @admin.display(description=gettext_lazy("Seats and links"))
    def seats_page(self, match: Match) -> SafeString:
        url = reverse("matches:seat-list", args=[match.code])
        return format_html('<a href="{}">Open</a>', url)

    @admin.display(description=gettext_lazy("Log"))
    def log_page(self, match: Match) -> SafeString:
        url = reverse("admin:matches_event_changelist")
        return format_html('<a href="{}?log__id__exact={}">Its entries</a>', url, match.pk)

    @admin.display(description=gettext_lazy("Log as a file"))
    def log_file(self, match: Match) -> SafeString:
        return format_html(
            '<a href="{}">NDJSON</a> <a href="{}">Notation</a>',
            reverse("matches:match-log-file", args=[match.code]),
            reverse("matches:match-notation", args=[match.code]),
        )

    @admin.display(description=gettext_lazy("Checks of the log"))
    def verify_page(self, match: Match) -> SafeString:
        url = reverse("matches:match-verify", args=[match.code])
        return format_html('<a href="{}">Open</a>', url)

    @admin.action(description=gettext_lazy("Verify the log"), permissions=["view"])
    def verify(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        for match in matches.select_related("log"):
            try:
                services.request_verify(by=actor_of(request), match=match)
            except Refused as refused:
                self.message_user(request, f"{match}: {refused.detail}", messages.ERROR)
            else:
                self.message_user(
                    request, gettext("{match}: a worker verifies its log.").format(match=match)
                )

    @admin.action(
        description=gettext_lazy("Rebuild what is made from the log"), permissions=["change"]
    )
    def rebuild(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        for match in matches.select_related("log"):
            followers.anew(match.log)
            self.message_user(
                request, gettext("{what}: a worker makes it anew.").format(what=match)
            )

    @admin.action(description=gettext_lazy("Withdraw from view"))
    def withdraw(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        for match in matches.select_related("log"):
            try:
                services.withdraw(by=actor_of(request), match=match)
            except Refused as refused:
                self.message_user(request, f"{match}: {refused.detail}", messages.ERROR)
            else:
                self.message_user(
                    request,
                    gettext("{match} is withdrawn. Nothing of it was removed.").format(match=match),
                )

    @admin.action(description=gettext_lazy("Results off: hold back from now on"))
    def hold(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        said = gettext("{match} is held back from now on.")
        self._change_cut(request, matches, said, held=True)

    @admin.action(description=gettext_lazy("Release: show everything"))
    def release(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        said = gettext("{match} shows everything.")
        self._change_cut(request, matches, said, held=False, delay=0)

    def _change_cut(
        self, request: HttpRequest, matches: QuerySet[Match], said: str, **cut: Any
    ) -> None:
        for match in matches.select_related("log"):
            try:
                services.change_cut(by=actor_of(request), match=match, **cut)
            except Refused as refused:
                self.message_user(request, f"{match}: {refused.detail}", messages.ERROR)
            else:
                self.message_user(request, said.format(match=match))

    def save_model(self, request: HttpRequest, match: Any, form: Any, change: bool) -> None:
        """Save, and change who may watch in the way that keeps the feed whole."""
        wanted = match.visibility
        match.visibility = form.initial.get("visibility", wanted)
        super().save_model(request, match, form, change)
        if "visibility" in form.changed_data:
            cuts.change(match, visibility=wanted)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # opened on its own page, where the rules are asked

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # withdrawn, never removed


@admin.register(Log)
class LogAdmin(ReadOnly, CutAdmin):
    to_log = ""
    list_display = ["id", "ruleset", "status", "headline", "head_version", "created_at"]
    list_filter = ["status", "ruleset"]
    search_fields = ["id", "match__code", "match__title"]
    exclude = ["seed"]
    readonly_fields = ["entries"]
    actions = ["rebuild"]

    @admin.display(description=gettext_lazy("Entries"))
    def entries(self, log: Log) -> SafeString:
        url = reverse("admin:matches_event_changelist")
        return format_html('<a href="{}?log__id__exact={}">Open</a>', url, log.pk)

    @admin.action(
        description=gettext_lazy("Rebuild what is made from the log"), permissions=["view"]
    )
    def rebuild(self, request: HttpRequest, logs: QuerySet[Log]) -> None:
        for log in logs:
            followers.anew(log)
            self.message_user(request, gettext("{what}: a worker makes it anew.").format(what=log))


@admin.register(Event)
class EventAdmin(ReadOnly, CutAdmin):
    list_display = ["position", "at_moment", "type", "seat", "verdict", "recorded_at"]
    list_filter = ["type", "recorded_at"]
    list_select_related = ["log__match"]
    readonly_fields = ["at_moment"]
    search_fields = ["act_id", "log__match__code"]
    ordering = ["-position", "ordinal"]
    show_full_result_count = False

    @admin.display(description=gettext_lazy("Moment"))
    def at_moment(self, event: Event) -> SafeString | str:
        place = f"{event.version}.{event.ordinal}"
        match = getattr(event.log, "match", None)
        return moment(match, event.version, f"{match.code} {place}") if match else place


@admin.register(Note)
class NoteAdmin(ReadOnly, CutAdmin):
    list_display = ["text", "log", "erased_at"]
    list_filter = [("erased_at", admin.EmptyFieldListFilter)]
    search_fields = ["log__match__code"]
    exclude = ["salt"]


@admin.register(ScribeLease)
class ScribeLeaseAdmin(ReadOnly, CutAdmin):
    to_log = "match__log__"
    list_display = ["match", "player", "seat", "taken_at", "used_at", "ended_at", "ended_by"]
    list_select_related = ["match", "player", "ended_by"]
    search_fields = ["match__code", "player__name"]


@admin.register(Proposal)
class ProposalAdmin(ReadOnly, CutAdmin):
    to_log = "match__log__"
    list_display = ["act", "match", "player", "state", "kept_at", "decided_at", "decided_by"]
    list_filter = ["state"]
    list_select_related = ["match", "player", "decided_by"]
    search_fields = ["match__code", "act_id"]
    actions = ["dismiss"]

    @admin.action(description=gettext_lazy("Dismiss"))
    def dismiss(self, request: HttpRequest, rows: QuerySet[Proposal]) -> None:
        for kept in rows.select_related("match__log"):
            try:
                proposals.dismiss(match=kept.match, by=actor_of(request), act_id=kept.act_id)
            except Refused as refused:
                self.message_user(request, f"{kept}: {refused.detail}", messages.ERROR)
            else:
                self.message_user(
                    request, gettext("{act} is dismissed, and kept.").format(act=kept.act_id)
                )


@admin.register(Job)
class JobAdmin(ReadOnly, CutAdmin):
    list_display = ["kind", "log", "created_at", "attempts", "done_at", "holds", "error"]
    list_filter = [
        "kind",
        ("done_at", admin.EmptyFieldListFilter),
        ("error", admin.EmptyFieldListFilter),
    ]
    search_fields = ["log__id", "log__match__code"]

    @admin.display(description=gettext_lazy("Holds"), boolean=True)
    def holds(self, job: Job) -> bool | None:
        """Tell what a verification found, None for any other job and while it waits."""
        return job.result["ok"] if job.kind == verifications.VERIFY and job.result else None


class ParkedFilter(admin.SimpleListFilter):
    title = gettext_lazy("parked")
    parameter_name = "parked"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Parked"), ("no", "Going on")]

    def queryset(self, request: HttpRequest, marks: QuerySet[Checkpoint]) -> QuerySet[Checkpoint]:
        match self.value():
            case "yes":
                return marks.exclude(error="")
            case "no":
                return marks.filter(error="")
        return marks


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnly, CutAdmin):
    """How far followers have come; the parked ones first."""

    list_display = ["follower", "log", "version", "code", "moved_at", "error"]
    list_filter = [ParkedFilter, "follower"]
    list_select_related = ["log"]
    search_fields = ["log__id", "log__match__code"]
    ordering = ["-error", "-moved_at"]
    actions = ["try_again"]

    @admin.action(description=gettext_lazy("Try again"), permissions=["view"])
    def try_again(self, request: HttpRequest, marks: QuerySet[Checkpoint]) -> None:
        for mark in marks:
            followers.try_again(mark)
        self.message_user(request, "A worker will try again.")


@admin.register(FollowJob)
class FollowJobAdmin(ReadOnly, CutAdmin):
    list_display = ["log", "asked", "attempts", "created_at"]
    list_select_related = ["log"]
    search_fields = ["log__id", "log__match__code"]
