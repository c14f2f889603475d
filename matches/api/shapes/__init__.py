"""The shapes of requests and responses: exact types, from which the OpenAPI schema is made.

One module per subject; every shape is named here.
"""

from matches.api.shapes.acts import (
    ActRequest,
    ActResponse,
    ActResponses,
    BotRequest,
    EntryReceipt,
    ReceiptResponse,
    TakeBackRequest,
)
from matches.api.shapes.base import (
    After,
    At,
    EmptyRequest,
    Headline,
    Limit,
    LogStatus,
    Making,
    Moment,
    Name,
    Page,
    Pinned,
    Plain,
    PlayerName,
    Reason,
    Request,
    RequestId,
    Shown,
    ShownHash,
    Status,
    Version,
    Word,
    among,
)
from matches.api.shapes.claims import (
    ClaimLink,
    ClaimOffer,
    ClaimPart,
    ClaimResponse,
    MergeRequest,
)
from matches.api.shapes.corrections import (
    ChangeResponse,
    CorrectRequest,
    EndingResponse,
    FollowerChange,
    PreviewResponse,
    Receipts,
)
from matches.api.shapes.entries import Entries, EntryResponse, EventsQuery, FeedQuery, Head, Told
from matches.api.shapes.games import (
    ChapterLine,
    ClauseLine,
    DeckLine,
    DeckProblem,
    DeckRequest,
    DeckResponse,
    GameLine,
    GameResponse,
    Games,
    Rulebook,
)
from matches.api.shapes.jobs import JobFile, JobResponse, Jobs
from matches.api.shapes.matches import (
    CutRequest,
    CutResponse,
    ImportQuery,
    JudgedResponse,
    LuckResponse,
    Matches,
    MatchesQuery,
    MatchLine,
    MatchRequest,
    MatchResponse,
    OfferResponse,
    OptionsQuery,
    OptionsResponse,
    Rights,
    SeatRequest,
    SeatResponse,
    SideLuck,
    SideWent,
    StateQuery,
    StateResponse,
    StepResponse,
    TurningResponse,
    WentResponse,
    WhatIfChange,
    WhatIfRequest,
    WhatIfResponse,
)
from matches.api.shapes.people import (
    Credentials,
    GuestRequest,
    OutingResponse,
    PlayedResponse,
    PlayerDetail,
    PlayerRequest,
    PlayerResponse,
    Players,
    PlayersQuery,
    RecordResponse,
    RivalResponse,
    SpinsResponse,
    Token,
)
from matches.api.shapes.problems import Problem
from matches.api.shapes.scribes import (
    DecisionRequest,
    LeaseRequest,
    ProposalResponse,
    Proposals,
    ProposalsQuery,
    ScribeResponse,
    StandingResponse,
    TakeRequest,
)
from matches.api.shapes.seats import (
    OfficialRequest,
    OfficialResponse,
    Officials,
    SeatLink,
    SeatLinks,
    SeatOffer,
    SitRequest,
)
from matches.api.shapes.trust import HeadsResponse
