"""Django's PostgreSQL backend, except for how a connection that was kept is found to be alive."""
