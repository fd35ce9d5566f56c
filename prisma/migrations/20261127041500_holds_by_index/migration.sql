-- Statistics know nothing of a reconciliation that has just filled up: a plan that joins by reading its items once for each member is taken for
-- the cheapest one. So the members name the items, by index, and rows are joined by hash.
CREATE OR REPLACE FUNCTION "hold_members"() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  missing int;
BEGIN
  WITH taken AS (
    SELECT tenant_id, reconciliation_id, record_id, revision, coalesce(sum(amount), 0) AS amount, count(*) AS members
      FROM added GROUP BY 1, 2, 3, 4
  ), kept AS (
    UPDATE reconciliation_items i SET held = i.held + t.amount, holds = i.holds + t.members, updated_at = now()
      FROM taken t WHERE i.record_id = ANY (ARRAY(SELECT record_id FROM taken))
       AND i.tenant_id = t.tenant_id AND i.reconciliation_id = t.reconciliation_id AND i.record_id = t.record_id
       AND i.revision = t.revision AND i.ready AND i.excluded IS NULL
    RETURNING 1
  ) SELECT (SELECT count(*) FROM taken) - (SELECT count(*) FROM kept) INTO missing;
  IF missing > 0 THEN RAISE EXCEPTION 'a member of a group is no open item as it was read' USING ERRCODE = 'serialization_failure'; END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "release_members"() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
  WITH freed AS MATERIALIZED (
    SELECT m.tenant_id, m.reconciliation_id, m.record_id, coalesce(sum(m.amount), 0) AS amount, count(*) AS members
      FROM released g JOIN was w ON w.id = g.id
      JOIN match_group_members m ON m.group_id = g.id AND m.group_id = ANY (ARRAY(SELECT id FROM released))
     WHERE g.status = 'released' AND w.status = 'held' GROUP BY 1, 2, 3
  )
  UPDATE reconciliation_items i SET held = i.held - t.amount, holds = i.holds - t.members, updated_at = now()
    FROM freed t WHERE i.record_id = ANY (ARRAY(SELECT record_id FROM freed))
     AND i.tenant_id = t.tenant_id AND i.reconciliation_id = t.reconciliation_id AND i.record_id = t.record_id;
  RETURN NULL;
END $$;
