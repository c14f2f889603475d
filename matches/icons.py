"""Icons as lines in a square of 24. Pages inline them: a sprite would be another request."""

LINES = {
    "home": "M3 11 12 4l9 7M6 9.5V20h12V9.5M10 20v-6h4v6",
    "matches": "M3 6h18M3 12h18M3 18h18M7 4v4M14 10v4M10 16v4",
    "log": "M4 20h16M5 16 16 5l3 3L8 19l-4 1z",
    "me": "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21v-2a5 5 0 0 1 5-5h6a5 5 0 0 1 5 5v2",
    "plus": "M12 4v16M4 12h16",
    "check": "M4 12.5 9.5 18 20 6",
    "cross": "M5 5l14 14M19 5 5 19",
    "alert": "M12 3 2 21h20zM12 10v5M12 17.5v1.5",
    "info": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v6M12 7v1.5",
    "undo": "M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3",
    "redo": "M15 5l5 5-5 5M20 10H10a6 6 0 0 0 0 12h3",
    "spin": "M20 5v5h-5M20 10a8.5 8.5 0 1 0 .5 5",
    "share": "M12 15V3M7.5 7.5 12 3l4.5 4.5M5 12v9h14v-9",
    "qr": "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h3v3M20 14v6h-3M14 20v-2",
    "lock": "M6 11h12v10H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11",
    "seal": "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8 12l3 3 5-6",
    "prev": "M15 5l-7 7 7 7",
    "next": "M9 5l7 7-7 7",
    "first": "M18 5l-7 7 7 7M7 5v14",
    "last": "M6 5l7 7-7 7M17 5v14",
    "play": "M6 3v18l15.5-9z",
    "pause": "M8 5v14M16 5v14",
    "copy": "M9 9h11v11H9zM5 15H4V4h11v1",
    "print": "M7 9V3h10v6M7 18H4V9h16v9h-3M7 14h10v7H7z",
    "search": "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 21 21",
    "key": "M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9v4M17 12v3",
    "clock": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2.5",
    "eye": (
        "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z"
    ),
    "eye-off": (
        "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7z"
        "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 21 20 3"
    ),
    "out": "M10 4H4v16h6M9 12h12M16 7l5 5-5 5",
    "download": "M12 3v12M7.5 10.5 12 15l4.5-4.5M4 20h16",
    "gavel": "M12 4l6 6M9 7l6 6M10.5 5.5l6 6M11 11l-7 8M13 21h8",
    "trophy": (
        "M7 4h10v6a5 5 0 0 1-10 0zM7 6H3v2a4 4 0 0 0 4 4M17 6h4v2a4 4 0 0 1-4 4M12 15v4M8 20h8"
    ),
    "bolt": "M14 2 5 14h6l-1 8 9-12h-6z",
    "shield": "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z",
}
FULL = {"play", "bolt"}  # filled, not drawn
ALONG = {"first", "prev", "next", "last"}  # mirrored in right-to-left languages
