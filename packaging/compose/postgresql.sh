#!/bin/sh
# Run by the image of PostgreSQL when its volume is empty: the role that Muster is known by, which is no superuser, and its database.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username=postgres --set=password="$(cat /run/secrets/database-password)" <<'SQL'
CREATE ROLE muster LOGIN PASSWORD :'password';
CREATE DATABASE muster OWNER muster;
SQL
