"""Results only, for any game, with one to eight seats or teams."""
