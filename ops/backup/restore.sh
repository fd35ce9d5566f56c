#!/bin/sh
# Replaces the database and the files by those of a backup: `restore.sh <backup>`. Stop every process of Tieout before,
# and empty the queues in Redis afterwards.
set -eu

backups=${BACKUP_DIRECTORY:-/backups}
files=${BACKUP_FILES:-/files}

if [ -z "${1:-}" ] || [ ! -d "$backups/$1" ]; then
  echo "Name one of these backups:" >&2
  ls "$backups" >&2
  exit 2
fi
from="$backups/$1"
(cd "$from" && sha256sum --check --status checksums) || {
  echo "$1 is damaged: its checksums differ" >&2
  exit 1
}

. "$(dirname "$0")/connect.sh"
query() { psql --dbname="$database" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@"; }

running=$(query --command="select string_agg(distinct application_name, ', ') from pg_stat_activity
  where datname = current_database() and application_name like 'tieout %'")
if [ -n "$running" ]; then
  echo "Still running: $running. Stop every process of Tieout first" >&2
  exit 1
fi

# The files first: when they do not fit, the database stays as it was. A file without a row is superfluous.
tar -C "$files" -xf "$from/files.tar"

contents=$(mktemp)
trap 'rm -f "$contents"' EXIT
# Rights of the service on what it makes later are its own, and stay.
pg_restore --list "$from/database.dump" | grep -v ' DEFAULT ACL ' >"$contents"
statements=$(mktemp)
trap 'rm -f "$contents" "$statements"' EXIT
# One transaction: a restore that fails leaves the database as it was.
{
  echo 'begin; drop schema if exists staging, bullmq cascade; drop owned by current_user;'
  pg_restore --no-owner --use-list="$contents" --file=- "$from/database.dump"
  echo 'commit;'
} | query --file=- >/dev/null
echo "restored $1"
