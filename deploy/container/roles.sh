#!/bin/sh
# The role that the site runs as: it owns nothing. `migrate` grants its privileges.
psql --set=ON_ERROR_STOP=1 --set=password="$WEB_PASSWORD" -U "$POSTGRES_USER" "$POSTGRES_DB" <<'SQL'
CREATE ROLE zgxl_web LOGIN PASSWORD :'password';
SQL
