"""The shapes of requests and answers: exact types, from which the OpenAPI schema is made.

One module per subject; all shapes are exported here.
"""

from league.api.shapes.base import Slug, StageOrLast, TournamentQuery
from league.api.shapes.circuits import (
    CircuitChange,
    CircuitLine,
    CircuitQuery,
    CircuitRequest,
    CircuitResponse,
    CircuitRow,
    Circuits,
    CircuitsQuery,
    GotResponse,
    InvitationRequest,
    OutlookResponse,
    QualifiedResponse,
    QualifierEnd,
    QualifierRequest,
    QualifierResponse,
)
from league.api.shapes.desks import (
    BlastResponse,
    DeskEventsQuery,
    DeskStateQuery,
    MovedResponse,
    ResultRequest,
    UndoRequestAtDesk,
)
from league.api.shapes.discipline import (
    DisciplineRecord,
    HintResponse,
    Hints,
    LiftRequest,
    PenaltyReceipt,
    PenaltyRequest,
    PenaltyResponse,
    SanctionRequest,
    SanctionResponse,
)
from league.api.shapes.entries import (
    DeckRegistered,
    DeckRegistration,
    EntrantResponse,
    Entrants,
    EntryRequest,
    EntrysDeck,
)
from league.api.shapes.leagues import (
    KreweChange,
    KreweRequest,
    KreweResponse,
    Krewes,
    LeagueChange,
    LeagueLine,
    LeagueRequest,
    LeagueResponse,
    Leagues,
    MemberRequest,
    MemberResponse,
    RoleChangeResponse,
    RoleRequest,
    RolesResponse,
)
from league.api.shapes.matches import PlayedMatchesQuery, PlayedMatchResponse, TableOfMatch
from league.api.shapes.places import (
    DatedEvent,
    PlaceFact,
    PlaceLine,
    PlaceResponse,
    Places,
    PlaceSection,
    PlaceTextChange,
    PlaceTextRequest,
    PlaceTextResponse,
    PlaceTexts,
    VenueChange,
    VenueRequest,
    VenueResponse,
    Venues,
)
from league.api.shapes.players import (
    FavouriteResponse,
    MatchOfBoth,
    PlayerProfile,
    PlayerRating,
    RatedBoth,
    RatingStepResponse,
    TournamentOfBoth,
    TrophyResponse,
    Versus,
)
from league.api.shapes.prizes import (
    AwardRequest,
    PrizeRequest,
    PrizeResponse,
    Prizes,
    ShareResponse,
)
from league.api.shapes.rounds import (
    ByeReason,
    ClockResponse,
    ForcedResponse,
    PairAgainRequest,
    ProposeRequest,
    RoundDateRequest,
    RoundDateResponse,
    RoundDates,
    RoundProposal,
    RoundQuery,
    RoundResponse,
    Rounds,
    SeedQuery,
    ShadowResponse,
    TableReason,
)
from league.api.shapes.seasons import (
    AdjustmentRequest,
    AdjustmentResponse,
    DivisionChange,
    DivisionPlayerRequest,
    DivisionRequest,
    DivisionResponse,
    DivisionRow,
    PlayerMove,
    RolloverRequest,
    RolloverResponse,
    SeasonChange,
    SeasonLine,
    SeasonRequest,
    SeasonResponse,
    Seasons,
    SeasonsQuery,
)
from league.api.shapes.standings import (
    Clinched,
    ClinchQuery,
    Contested,
    ContestedPlace,
    ReachResponse,
    StandingRow,
    Standings,
    StandingsQuery,
    TermResponse,
    TiebreakResponse,
)
from league.api.shapes.tables import (
    OpenTableRequest,
    Pairings,
    ProposedTime,
    TableMatchResponse,
    TableResponse,
)
from league.api.shapes.telling import TellingChange, TellingResponse
from league.api.shapes.tournaments import (
    DeskOptions,
    DeskRights,
    ListedTournament,
    TournamentChange,
    TournamentRequest,
    TournamentResponse,
    Tournaments,
    TournamentsQuery,
)
from league.api.shapes.waiting import (
    AnnouncementResponse,
    InvitationToAnswer,
    MatchToLog,
    NextResponse,
    PlayingResponse,
    RunningResponse,
)
from league.api.shapes.webhooks import (
    AttemptResponse,
    Deliveries,
    DeliveriesQuery,
    DeliveryResponse,
    WebhookChange,
    WebhookMade,
    WebhookRequest,
    WebhookResponse,
    Webhooks,
    WebhooksQuery,
)
from matches.api.shapes import EmptyRequest
