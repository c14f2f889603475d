"""Pages: request handlers, one module per subject."""
