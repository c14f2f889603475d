"""The shapes of requests and responses about characters.

One module per subject; every shape is exported here.
"""

from characters.api.shapes.base import ByCharacterQuery
from characters.api.shapes.books import (
    CoverRequest,
    CoverResponse,
    FavourChange,
    FavourRequest,
    FavourResponse,
    Favours,
    GearResponse,
    GoalChange,
    GoalRequest,
    Goals,
    GoalsAfter,
    LedgerPage,
    LedgerQuery,
    LedgerRequest,
    LedgerResponse,
    LifeResponse,
    TradeDecision,
    TradeRequest,
    TradeResponse,
    Trades,
    UndoRequest,
)
from characters.api.shapes.cards import (
    CardChange,
    CardRequest,
    CardResponse,
    Cards,
    CardsFile,
    CardsImport,
    CardsQuery,
    SetChange,
    SetResponse,
    Sets,
)
from characters.api.shapes.careers import Appearances, AppearancesQuery, PromptRequest, Prompts
from characters.api.shapes.loadouts import (
    FieldedMatchRequest,
    FieldedSeat,
    GearChange,
    LoadoutChange,
    LoadoutRequest,
    LoadoutResponse,
    Loadouts,
)
from characters.api.shapes.moves import (
    CampaignChange,
    CampaignRequest,
    CampaignResponse,
    Campaigns,
    Changes,
    FallenPieces,
    LeaveRequest,
    MoveRequest,
    MoveResponse,
    Moves,
    MovesQuery,
    Sales,
    SheetChange,
)
from characters.api.shapes.sheets import (
    AnswersRequest,
    CharacterChange,
    CharacterLine,
    CharacterLode,
    CharacterPart,
    CharacterQuery,
    CharacterResponse,
    CharacterRights,
    Characters,
    CharactersQuery,
    PasteRequest,
    PasteResponse,
    PortraitRequest,
    PortraitResponse,
    SectionChange,
)
from characters.importing import CardsImported
