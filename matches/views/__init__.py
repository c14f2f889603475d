"""Pages: what a request is answered with, a module for each subject."""
