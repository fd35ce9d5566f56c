-- AlterTable
ALTER TABLE "reconciliation_items" ADD COLUMN     "part" BOOLEAN NOT NULL DEFAULT false;

-- Items of which a part is held are few, and have an index.
UPDATE "reconciliation_items" SET "part" = true WHERE "open" AND "held" <> 0;

-- An item follows its record while nothing holds it. The rest of one that is held in part does too, as long as the new amount covers what is held.
CREATE FUNCTION "item_follows"("holds" int, "part" boolean, "held" numeric, "currency" text, "now_amount" numeric, "now_currency" text)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT "holds" = 0 OR coalesce("part" AND "now_currency" IS NOT DISTINCT FROM "currency"
                                 AND "now_amount" * "held" > 0 AND abs("now_amount") >= abs("held"), false)
$$;

-- Keeps `open`, which indexes and lists use, `part`, and which transaction has changed what runs depend on.
CREATE OR REPLACE FUNCTION "set_item_open"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.revision, OLD.amount, OLD.day, OLD.currency, OLD.ready, OLD.held, OLD.holds, OLD.excluded)
       IS DISTINCT FROM (NEW.revision, NEW.amount, NEW.day, NEW.currency, NEW.ready, NEW.held, NEW.holds, NEW.excluded) THEN
    NEW.changed_by := pg_current_xact_id();
  END IF;
  -- Where the record falls short of what is held, the amount becomes what is held, and `part` still says that it was not all of it.
  IF TG_OP = 'UPDATE' AND OLD.held <> NEW.held THEN
    NEW.part := NEW.held <> 0 AND NEW.held <> NEW.amount;
  END IF;
  NEW.open := NEW.ready AND NEW.excluded IS NULL
    AND CASE WHEN coalesce(NEW.amount, 0) = 0 THEN NEW.holds = 0 ELSE NEW.held <> NEW.amount END;
  RETURN NEW;
END $$;

-- Records that become ready, or change, are items of the reconciliations of their dataset. One that is held wholly keeps its amount until the
-- change is settled; what is left of a removed one is settled too. The rest of one that is held in part follows in the same transaction: no
-- group holds more than the record has now.
CREATE OR REPLACE FUNCTION "keep_items"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM changed c JOIN reconciliation_datasets d ON d.dataset_id = c.dataset_id) THEN RETURN NULL; END IF;
  IF TG_OP = 'DELETE' THEN
    UPDATE reconciliation_items i SET ready = false, changed = true, updated_at = now() FROM changed c WHERE i.record_id = c.id AND i.holds > 0;
    DELETE FROM reconciliation_items i USING changed c WHERE i.record_id = c.id AND i.holds = 0;
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
  UPDATE reconciliation_items i
     SET revision = CASE WHEN w.follows THEN w.revision ELSE i.revision END,
         amount = CASE WHEN w.follows THEN w.amount ELSE i.held END,
         day = CASE WHEN w.follows THEN w.day ELSE i.day END,
         differs = NOT w.follows,
         now_revision = CASE WHEN NOT w.follows THEN w.revision END,
         now_amount = CASE WHEN NOT w.follows THEN w.amount END,
         now_day = CASE WHEN NOT w.follows THEN w.day END,
         now_currency = CASE WHEN NOT w.follows THEN w.currency END
    FROM (SELECT o.tenant_id, o.reconciliation_id, o.record_id, c.revision, v.amount, v.day, v.currency,
                 item_follows(o.holds, o.part, o.held, o.currency, v.amount, v.currency) AS follows
            FROM changed c
            JOIN reconciliation_items o ON o.record_id = c.id AND o.tenant_id = c.tenant_id
            JOIN reconciliations n ON n.tenant_id = o.tenant_id AND n.id = o.reconciliation_id
           CROSS JOIN LATERAL item_values(c.data, c.fields, c.external_id, o.side, n) v
           WHERE o.part AND c.status = 'ready') w
   WHERE i.tenant_id = w.tenant_id AND i.reconciliation_id = w.reconciliation_id AND i.record_id = w.record_id;
  RETURN NULL;
END $$;
