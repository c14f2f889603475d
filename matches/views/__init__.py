"""Pages, one module per subject."""
