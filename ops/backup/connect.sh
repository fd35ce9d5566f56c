# Sets `database` to BACKUP_DATABASE_URL without its password, and PGPASSWORD to that: every user of a machine can read
# the arguments of programs, and their own only its environment.
database=$BACKUP_DATABASE_URL
rest=${database#*://}
authority=${rest%%[/?]*}
login=${authority%@*}
case $authority in
  *:*@*)
    PGPASSWORD=$(printf '%s\n' "${login#*:}" | LC_ALL=C awk '
      BEGIN { for (code = 1; code < 256; code++) character[sprintf("%02x", code)] = sprintf("%c", code) }
      {
        parts = split($0, part, "%")
        text = part[1]
        for (at = 2; at <= parts; at++) text = text character[tolower(substr(part[at], 1, 2))] substr(part[at], 3)
        print text
      }')
    export PGPASSWORD
    database="${database%%://*}://${login%%:*}@${rest#"$login@"}"
    ;;
esac
