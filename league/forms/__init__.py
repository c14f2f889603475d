"""Forms, one module per subject."""
