-- Statistics may not know a tenant yet: after its first files they say that it has no rows. A search by tenant alone, once for each row of the
-- other side, is then taken for as cheap as one by record, and any list of records for dearer than both. So each item is looked up by its record
-- behind `OFFSET 0`, with `IS NOT DISTINCT FROM` for all other keys, which leaves only the index of the record, and changed where it was found.
-- Nobody else changes it meanwhile: the transaction has locked it, or the change is refused. With all other scans off, the planner finds a row at
-- its place; an index scan is as costly for all of them, so the cheapest index is still the one that serves a search.

-- Holds items in the order of their index, so that neighbours are written together.
CREATE OR REPLACE FUNCTION "hold_members"() RETURNS trigger LANGUAGE plpgsql
  SET enable_indexscan = off SET enable_bitmapscan = off SET enable_seqscan = off SET work_mem = '64MB' AS $$
DECLARE
  missing int;
BEGIN
  WITH taken AS MATERIALIZED (
    SELECT tenant_id, reconciliation_id, record_id, revision, coalesce(sum(amount), 0) AS amount, count(*) AS members
      FROM added GROUP BY 1, 2, 3, 4 ORDER BY 3
  ), found AS MATERIALIZED (
    SELECT i.place, t.amount, t.members FROM taken t
     CROSS JOIN LATERAL (SELECT o.ctid AS place FROM reconciliation_items o
                          WHERE o.record_id = t.record_id AND o.revision = t.revision AND o.ready AND o.excluded IS NULL
                            AND (o.tenant_id, o.reconciliation_id) IS NOT DISTINCT FROM (t.tenant_id, t.reconciliation_id) OFFSET 0) i
  ), kept AS (
    UPDATE reconciliation_items i SET held = i.held + f.amount, holds = i.holds + f.members, updated_at = now()
      FROM found f WHERE i.ctid = f.place RETURNING f.members
  ) SELECT (SELECT count(*) FROM added) - (SELECT coalesce(sum(members), 0) FROM kept) INTO missing;
  IF missing > 0 THEN RAISE EXCEPTION 'a member of a group is no open item as it was read' USING ERRCODE = 'serialization_failure'; END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "release_members"() RETURNS trigger LANGUAGE plpgsql
  SET enable_indexscan = off SET enable_bitmapscan = off SET enable_seqscan = off SET work_mem = '64MB' AS $$
DECLARE
  missing int;
BEGIN
  WITH ended AS MATERIALIZED (
    SELECT g.id FROM (SELECT id FROM released WHERE status = 'released' INTERSECT SELECT id FROM was WHERE status = 'held') g
  ), freed AS MATERIALIZED (
    SELECT m.tenant_id, m.reconciliation_id, m.record_id, coalesce(sum(m.amount), 0) AS amount, count(*) AS members
      FROM ended g CROSS JOIN LATERAL (SELECT * FROM match_group_members WHERE group_id = g.id OFFSET 0) m GROUP BY 1, 2, 3 ORDER BY 3
  ), found AS MATERIALIZED (
    SELECT i.place, t.amount, t.members FROM freed t
     CROSS JOIN LATERAL (SELECT o.ctid AS place FROM reconciliation_items o
                          WHERE o.record_id = t.record_id
                            AND (o.tenant_id, o.reconciliation_id) IS NOT DISTINCT FROM (t.tenant_id, t.reconciliation_id) OFFSET 0) i
  ), freeing AS (
    UPDATE reconciliation_items i SET held = i.held - f.amount, holds = i.holds - f.members, updated_at = now()
      FROM found f WHERE i.ctid = f.place RETURNING 1
  ) SELECT (SELECT count(*) FROM found) - (SELECT count(*) FROM freeing) INTO missing;
  IF missing > 0 THEN RAISE EXCEPTION 'an item was changed while its group was released' USING ERRCODE = 'serialization_failure'; END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "keep_items"() RETURNS trigger LANGUAGE plpgsql
  SET enable_indexscan = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM changed c JOIN reconciliation_datasets d ON d.dataset_id = c.dataset_id) THEN RETURN NULL; END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM FROM (SELECT id FROM changed ORDER BY id) c
      CROSS JOIN LATERAL (SELECT 1 FROM reconciliation_items o WHERE o.record_id = c.id OFFSET 0 FOR UPDATE) i;
    WITH found AS MATERIALIZED (
      SELECT i.place FROM changed c
       CROSS JOIN LATERAL (SELECT o.ctid AS place FROM reconciliation_items o WHERE o.record_id = c.id AND o.holds > 0 OFFSET 0) i
    ) UPDATE reconciliation_items i SET ready = false, changed = true, updated_at = now() FROM found f WHERE i.ctid = f.place;
    WITH found AS MATERIALIZED (
      SELECT i.place FROM changed c
       CROSS JOIN LATERAL (SELECT o.ctid AS place FROM reconciliation_items o WHERE o.record_id = c.id AND o.holds = 0 OFFSET 0) i
    ) DELETE FROM reconciliation_items i USING found f WHERE i.ctid = f.place;
    RETURN NULL;
  END IF;
  INSERT INTO reconciliation_items AS i
         (tenant_id, reconciliation_id, record_id, dataset_id, side, external_id, revision, ready, amount, day, currency, search)
  SELECT c.tenant_id, d.reconciliation_id, c.id, c.dataset_id, d.side, c.external_id, c.revision, c.status = 'ready',
         v.amount, v.day, v.currency, v.search
    FROM changed c
    JOIN reconciliation_datasets d ON d.tenant_id = c.tenant_id AND d.dataset_id = c.dataset_id
    JOIN reconciliations n ON n.tenant_id = d.tenant_id AND n.id = d.reconciliation_id
   CROSS JOIN LATERAL item_values(c.data, c.fields, c.external_id, d.side, n) v
   WHERE c.status = 'ready'
      OR EXISTS (SELECT FROM reconciliation_items o
                  WHERE o.tenant_id = c.tenant_id AND o.reconciliation_id = d.reconciliation_id AND o.record_id = c.id)
   ORDER BY d.reconciliation_id, c.id
  ON CONFLICT (tenant_id, reconciliation_id, record_id) DO UPDATE
     SET ready = excluded.ready, external_id = excluded.external_id, search = excluded.search, updated_at = now(),
         revision = CASE WHEN i.holds = 0 THEN excluded.revision ELSE i.revision END,
         amount = CASE WHEN i.holds = 0 THEN excluded.amount ELSE i.amount END,
         day = CASE WHEN i.holds = 0 THEN excluded.day ELSE i.day END,
         currency = CASE WHEN i.holds = 0 THEN excluded.currency ELSE i.currency END,
         changed = i.holds > 0 AND (i.changed OR excluded.revision <> i.revision);
  IF TG_OP = 'INSERT' THEN RETURN NULL; END IF;
  WITH found AS MATERIALIZED (
    SELECT o.place, c.revision, v.amount, v.day, v.currency,
           item_follows(o.holds, o.part, o.held, o.currency, v.amount, v.currency) AS follows
      FROM changed c
     CROSS JOIN LATERAL (SELECT i.ctid AS place, i.* FROM reconciliation_items i WHERE i.record_id = c.id AND i.part OFFSET 0) o
      JOIN reconciliations n ON n.tenant_id = o.tenant_id AND n.id = o.reconciliation_id
     CROSS JOIN LATERAL item_values(c.data, c.fields, c.external_id, o.side, n) v
     WHERE o.tenant_id = c.tenant_id AND c.status = 'ready'
  )
  UPDATE reconciliation_items i
     SET revision = CASE WHEN w.follows THEN w.revision ELSE i.revision END,
         amount = CASE WHEN w.follows THEN w.amount ELSE i.held END,
         day = CASE WHEN w.follows THEN w.day ELSE i.day END,
         differs = NOT w.follows,
         now_revision = CASE WHEN NOT w.follows THEN w.revision END,
         now_amount = CASE WHEN NOT w.follows THEN w.amount END,
         now_day = CASE WHEN NOT w.follows THEN w.day END,
         now_currency = CASE WHEN NOT w.follows THEN w.currency END
    FROM found w WHERE i.ctid = w.place;
  RETURN NULL;
END $$;
