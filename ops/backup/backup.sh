#!/bin/sh
# Saves the database and the files: `backup.sh once`, `backup.sh every` (BACKUP_HOURS), `backup.sh check` (is the newest
# one recent?). The newest BACKUP_KEEP stay. Needs pg_dump of the server's major version or newer.
set -eu
umask 077

backups=${BACKUP_DIRECTORY:-/backups}
files=${BACKUP_FILES:-/files}
hours=${BACKUP_HOURS:-24}
keep=${BACKUP_KEEP:-14}

list() { find "$backups" -mindepth 1 -maxdepth 1 -type d -name '*Z' | sort; }

once() {
  name=$(date -u +%Y%m%dT%H%M%SZ)
  draft="$backups/$name.part"
  rm -rf "$backups"/*.part
  mkdir "$draft"
  # The database first: a file without a row is superfluous, a row without its file is a loss. Snapshots of jobs are made
  # again, and a dump of them would hold up their end.
  pg_dump --dbname="$BACKUP_DATABASE_URL" --format=custom --exclude-table='staging.*' --file="$draft/database.dump"
  pg_restore --list "$draft/database.dump" >/dev/null
  # Exit code 1: a file was being written meanwhile, whose row is not in the dump.
  tar -C "$files" -cf "$draft/files.tar" . || [ $? = 1 ]
  (cd "$draft" && sha256sum database.dump files.tar >checksums)
  mv "$draft" "$backups/$name"
  list | head -n "-$keep" | while read -r old; do rm -rf "$old"; done
  echo "saved $name"
}

case ${1:-} in
  once) once ;;
  every)
    while :; do
      # A process of its own, so that its first failure ends it: `set -e` does not apply within a condition.
      if sh "$0" once; then pause=$((hours * 3600)); else pause=300; fi
      sleep "$pause"
    done
    ;;
  check)
    newest=$(list | tail -n 1)
    [ -n "$newest" ] && [ -n "$(find "$newest" -maxdepth 0 -mmin "-$((hours * 60 + 60))")" ]
    ;;
  *)
    sed -n '2,3s/^# //p' "$0" >&2
    exit 2
    ;;
esac
