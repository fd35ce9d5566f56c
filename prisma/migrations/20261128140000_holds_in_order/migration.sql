-- Joined by hash, items were written in the order of a hash: a run that holds more than the cache reads and writes a page of the table and of each
-- index again and again. Members are sorted and merged with the index instead, so that neighbours are written together. They are of one
-- reconciliation; naming it lets a record that is in several be found by its own index.
CREATE OR REPLACE FUNCTION "hold_members"() RETURNS trigger LANGUAGE plpgsql
SET enable_nestloop = off SET enable_hashjoin = off SET enable_hashagg = off SET work_mem = '64MB' AS $$
DECLARE
  missing int;
BEGIN
  WITH kept AS (
    UPDATE reconciliation_items i SET held = i.held + t.amount, holds = i.holds + t.members, updated_at = now()
      FROM (SELECT tenant_id, reconciliation_id, record_id, revision, coalesce(sum(amount), 0) AS amount, count(*) AS members
              FROM added GROUP BY 1, 2, 3, 4) t
     WHERE i.reconciliation_id = ANY (ARRAY(SELECT DISTINCT reconciliation_id FROM added))
       AND i.record_id = ANY (ARRAY(SELECT record_id FROM added))
       AND i.tenant_id = t.tenant_id AND i.reconciliation_id = t.reconciliation_id AND i.record_id = t.record_id
       AND i.revision = t.revision AND i.ready AND i.excluded IS NULL
    RETURNING t.members
  ) SELECT (SELECT count(*) FROM added) - (SELECT coalesce(sum(members), 0) FROM kept) INTO missing;
  IF missing > 0 THEN RAISE EXCEPTION 'a member of a group is no open item as it was read' USING ERRCODE = 'serialization_failure'; END IF;
  RETURN NULL;
END $$;
