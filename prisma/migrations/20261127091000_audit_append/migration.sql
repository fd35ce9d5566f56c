-- Appends an entry to the chain of a tenant. The end of the chain is held for this statement and the commit after it, and not for the way to a
-- client between reading the end and writing the entry. "written" is the canonical JSON of the entry, cut where its time, the hash before and
-- its number belong.
CREATE FUNCTION "append_audit"("of" uuid, "actor" jsonb, "action" text, "object_type" text, "object_id" text, "before" jsonb, "after" jsonb,
                               "reason" text, "request_id" text, "written" text[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last_seq bigint;
  last_at timestamptz;
  last_hash text;
  moment timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('audit of ' || "of"::text, 0));
  SELECT e.seq, e.at, e.hash INTO last_seq, last_at, last_hash FROM audit_entries e WHERE e.tenant_id = "of" ORDER BY e.seq DESC LIMIT 1;
  IF NOT FOUND THEN
    last_seq := 0;
    last_hash := repeat('0', 64);
  END IF;
  moment := date_trunc('milliseconds', greatest(clock_timestamp(), last_at));
  INSERT INTO audit_entries (tenant_id, seq, at, actor, action, object_type, object_id, before, after, reason, request_id, prev_hash, hash)
  VALUES ("of", last_seq + 1, moment, "actor", "action", "object_type", "object_id", "before", "after", "reason", "request_id", last_hash,
          encode(sha256(convert_to(last_hash || "written"[1] || to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                                   || "written"[2] || last_hash || "written"[3] || (last_seq + 1)::text || '}', 'UTF8')), 'hex'));
END $$;
