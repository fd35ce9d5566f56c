#!/bin/sh
# Saves the database and the files: `backup.sh once`, `backup.sh every` (BACKUP_HOURS), `backup.sh check` (is the newest
# one recent?). The newest BACKUP_KEEP stay. Needs pg_dump of the server's major version or newer.
set -eu
umask 077

backups=${BACKUP_DIRECTORY:-/backups}
files=${BACKUP_FILES:-/files}
hours=${BACKUP_HOURS:-24}
keep=${BACKUP_KEEP:-14}

# Takes the name and the value of a setting.
require_number() {
  case $2 in
    *[!0-9]* | 0* | ?????*)
      echo "$1 is $2: set it to a whole number from 1 to 9999" >&2
      exit 2
      ;;
  esac
}
require_number BACKUP_HOURS "$hours"
require_number BACKUP_KEEP "$keep"

two='[0-9][0-9]'
list() { find "$backups" -mindepth 1 -maxdepth 1 -type d -name "$two$two$two${two}T$two$two${two}Z" | sort; }

# Takes minutes.
is_newer_than() {
  newest=$(list | tail -n 1)
  [ -n "$newest" ] && [ -n "$(find "$newest" -maxdepth 0 -mmin "-$1")" ]
}

once() {
  # One at a time: remains of a broken backup look like one that runs.
  exec 9<"$backups"
  flock --nonblock 9 || {
    echo "Another backup is running: wait for it" >&2
    exit 1
  }
  rm -rf "$backups"/*.part
  name=$(date -u +%Y%m%dT%H%M%SZ)
  while [ -e "$backups/$name" ]; do
    sleep 1
    name=$(date -u +%Y%m%dT%H%M%SZ)
  done
  draft="$backups/$name.part"
  mkdir "$draft"
  # The database first: a file without a row is superfluous, a row without its file is a loss. Snapshots of jobs are made
  # again, and a dump of them would hold up their end.
  pg_dump --dbname="$database" --format=custom --exclude-table='staging.*' --file="$draft/database.dump"
  pg_restore --list "$draft/database.dump" >/dev/null
  # Exit code 1: a file was being written meanwhile, whose row is not in the dump.
  tar -C "$files" -cf "$draft/files.tar" . || [ $? = 1 ]
  (cd "$draft" && sha256sum database.dump files.tar >checksums)
  mv "$draft" "$backups/$name"
  list | head -n "-$keep" | while read -r old; do rm -rf "$old"; done
  echo "saved $name"
}

case ${1:-} in
  once)
    . "$(dirname "$0")/connect.sh"
    once
    ;;
  every)
    while :; do
      # A restart makes no further backup: each one evicts the oldest.
      if is_newer_than "$((hours * 60))"; then
        sleep 60
      # A process of its own, so that its first failure ends it: `set -e` does not apply within a condition.
      elif ! sh "$0" once; then
        sleep 300
      fi
    done
    ;;
  check) is_newer_than "$((hours * 60 + 60))" ;;
  *)
    sed -n '2,3s/^# //p' "$0" >&2
    exit 2
    ;;
esac
