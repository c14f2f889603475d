#!/bin/sh
# The role that serves: it owns nothing. `migrate` gives it its rights.
psql --set=ON_ERROR_STOP=1 --set=password="$WEB_PASSWORD" -U "$POSTGRES_USER" "$POSTGRES_DB" <<'SQL'
CREATE ROLE zgxl_web LOGIN PASSWORD :'password';
SQL
