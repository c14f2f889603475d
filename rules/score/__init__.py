"""Results only, for any game whatever, with one to eight seats or teams."""
