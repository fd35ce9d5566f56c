-- AlterTable
ALTER TABLE "matching_jobs" ADD COLUMN     "dry_run" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "mode" TEXT,
ADD COLUMN     "reconciliation_id" UUID,
ADD COLUMN     "snapshot" TEXT,
ADD COLUMN     "trigger" TEXT;

-- CreateTable
CREATE TABLE "reconciliations" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "accept" TEXT NOT NULL DEFAULT 'auto',
    "amount_key_left" TEXT,
    "amount_key_right" TEXT,
    "date_key_left" TEXT,
    "date_key_right" TEXT,
    "currency_key_left" TEXT,
    "currency_key_right" TEXT,
    "amount_sign" TEXT NOT NULL DEFAULT 'same',
    "triggers" JSONB NOT NULL DEFAULT '{}',
    "next_run_at" TIMESTAMPTZ(3),
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "held_once" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reconciliations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reconciliation_datasets" (
    "reconciliation_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "side" SMALLINT NOT NULL,
    "position" INTEGER NOT NULL,
    "filled_to" UUID,
    "filled" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "reconciliation_datasets_pkey" PRIMARY KEY ("reconciliation_id","dataset_id")
);

-- CreateTable
CREATE TABLE "reconciliation_passes" (
    "rule_set_id" UUID NOT NULL,
    "reconciliation_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "reconciliation_passes_pkey" PRIMARY KEY ("rule_set_id")
);

-- CreateTable
CREATE TABLE "reconciliation_items" (
    "tenant_id" UUID NOT NULL,
    "reconciliation_id" UUID NOT NULL,
    "record_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "side" SMALLINT NOT NULL,
    "external_id" TEXT,
    "revision" INTEGER NOT NULL,
    "amount" DECIMAL(24,4),
    "day" DATE,
    "currency" TEXT,
    "ready" BOOLEAN NOT NULL DEFAULT true,
    "held" DECIMAL(24,4) NOT NULL DEFAULT 0,
    "holds" INTEGER NOT NULL DEFAULT 0,
    "open" BOOLEAN NOT NULL DEFAULT true,
    "changed" BOOLEAN NOT NULL DEFAULT false,
    "search" tsvector,
    "assignee" TEXT,
    "reason_code" TEXT,
    "note" TEXT,
    "snoozed_until" DATE,
    "excluded" JSONB,
    "changed_by" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reconciliation_items_pkey" PRIMARY KEY ("tenant_id","reconciliation_id","record_id")
);

-- CreateTable
CREATE TABLE "match_groups" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "reconciliation_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'held',
    "origin" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "left_amount" DECIMAL(24,4),
    "right_amount" DECIMAL(24,4),
    "difference" DECIMAL(24,4),
    "currency" TEXT,
    "match_id" UUID,
    "composite_match_id" UUID,
    "matching_job_id" UUID,
    "rule_set_id" UUID,
    "rule_set_name" TEXT,
    "rule_set_version" INTEGER,
    "score" DOUBLE PRECISION,
    "explanation" JSONB,
    "set_hash" BYTEA NOT NULL,
    "period" TEXT,
    "note" TEXT,
    "stale" BOOLEAN NOT NULL DEFAULT false,
    "held_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "held_by" JSONB NOT NULL,
    "released_at" TIMESTAMPTZ(3),
    "released_by" JSONB,
    "release_reason" TEXT,
    "release_note" TEXT,

    CONSTRAINT "match_groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "match_group_members" (
    "group_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "tenant_id" UUID NOT NULL,
    "reconciliation_id" UUID NOT NULL,
    "record_id" UUID NOT NULL,
    "side" SMALLINT NOT NULL,
    "external_id" TEXT,
    "revision" INTEGER NOT NULL,
    "amount" DECIMAL(24,4),
    "record_amount" DECIMAL(24,4),
    "day" DATE,
    "currency" TEXT,

    CONSTRAINT "match_group_members_pkey" PRIMARY KEY ("group_id","position")
);

-- CreateTable
CREATE TABLE "match_group_adjustments" (
    "group_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "tenant_id" UUID NOT NULL,
    "amount" DECIMAL(24,4) NOT NULL,
    "reason_code" TEXT NOT NULL,
    "note" TEXT,

    CONSTRAINT "match_group_adjustments_pkey" PRIMARY KEY ("group_id","position")
);

-- CreateTable
CREATE TABLE "match_group_definitions" (
    "job_id" UUID NOT NULL,
    "rule_set_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "definition" JSONB NOT NULL,

    CONSTRAINT "match_group_definitions_pkey" PRIMARY KEY ("job_id","rule_set_id")
);

-- CreateTable
CREATE TABLE "released_sets" (
    "reconciliation_id" UUID NOT NULL,
    "set_hash" BYTEA NOT NULL,
    "deciding_hash" BYTEA NOT NULL,
    "tenant_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,

    CONSTRAINT "released_sets_pkey" PRIMARY KEY ("reconciliation_id","set_hash","deciding_hash")
);

-- CreateTable
CREATE TABLE "reason_codes" (
    "tenant_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reason_codes_pkey" PRIMARY KEY ("tenant_id","code")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "tenant_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" JSONB NOT NULL,
    "action" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "reason" TEXT,
    "request_id" TEXT,
    "prev_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("tenant_id","seq")
);

-- CreateIndex
CREATE INDEX "reconciliations_tenant_id_id_idx" ON "reconciliations"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "reconciliations_due_idx" ON "reconciliations"("next_run_at");

-- CreateIndex
CREATE UNIQUE INDEX "reconciliations_tenant_id_name_key" ON "reconciliations"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "reconciliation_datasets_dataset_id_idx" ON "reconciliation_datasets"("dataset_id");

-- CreateIndex
CREATE INDEX "reconciliation_datasets_unfilled_idx" ON "reconciliation_datasets"("filled") WHERE NOT "filled";

-- CreateIndex
CREATE INDEX "reconciliation_passes_reconciliation_id_position_idx" ON "reconciliation_passes"("reconciliation_id", "position");

-- CreateIndex
CREATE INDEX "reconciliation_items_record_id_idx" ON "reconciliation_items"("record_id");

-- CreateIndex
CREATE INDEX "reconciliation_items_day_idx" ON "reconciliation_items"("reconciliation_id", "side", (coalesce("day", 'infinity')), "record_id") WHERE "open";

-- CreateIndex
CREATE INDEX "reconciliation_items_amount_idx" ON "reconciliation_items"("reconciliation_id", "side", (coalesce("amount", 'NaN')), "record_id") WHERE "open";

-- CreateIndex
CREATE INDEX "reconciliation_items_dataset_idx" ON "reconciliation_items"("reconciliation_id", "dataset_id", "record_id") WHERE "open";

-- CreateIndex
CREATE INDEX "reconciliation_items_unsettled_idx" ON "reconciliation_items"("changed") WHERE "changed";

-- CreateIndex
CREATE INDEX "reconciliation_items_changed_idx" ON "reconciliation_items"("reconciliation_id", "changed_by");

-- CreateIndex
CREATE INDEX "reconciliation_items_search_idx" ON "reconciliation_items" USING GIN ("search") WHERE "open";

-- CreateIndex
CREATE INDEX "match_groups_tenant_id_id_idx" ON "match_groups"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "match_groups_reconciliation_id_id_idx" ON "match_groups"("reconciliation_id", "id");

-- CreateIndex
CREATE INDEX "match_groups_set_idx" ON "match_groups"("reconciliation_id", "set_hash");

-- CreateIndex
CREATE INDEX "match_groups_job_idx" ON "match_groups"("matching_job_id", "id");

-- CreateIndex
CREATE INDEX "match_group_members_record_id_idx" ON "match_group_members"("record_id");

-- CreateIndex
CREATE UNIQUE INDEX "match_group_members_group_id_record_id_key" ON "match_group_members"("group_id", "record_id");

-- CreateIndex
CREATE INDEX "audit_entries_object_idx" ON "audit_entries"("tenant_id", "object_type", "object_id", "seq");

-- CreateIndex
CREATE INDEX "matching_jobs_runs_idx" ON "matching_jobs"("reconciliation_id", "id");

-- AddForeignKey
ALTER TABLE "reconciliations" ADD CONSTRAINT "reconciliations_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reconciliation_datasets" ADD CONSTRAINT "reconciliation_datasets_reconciliation_id_fkey" FOREIGN KEY ("reconciliation_id") REFERENCES "reconciliations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reconciliation_datasets" ADD CONSTRAINT "reconciliation_datasets_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reconciliation_passes" ADD CONSTRAINT "reconciliation_passes_reconciliation_id_fkey" FOREIGN KEY ("reconciliation_id") REFERENCES "reconciliations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reconciliation_passes" ADD CONSTRAINT "reconciliation_passes_rule_set_id_fkey" FOREIGN KEY ("rule_set_id") REFERENCES "rule_sets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "match_group_members" ADD CONSTRAINT "match_group_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "match_groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "match_group_adjustments" ADD CONSTRAINT "match_group_adjustments_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "match_groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One run of a reconciliation at a time, and one that waits.
CREATE UNIQUE INDEX "matching_jobs_running_idx" ON "matching_jobs"("reconciliation_id") WHERE "status" = 'running';
CREATE UNIQUE INDEX "matching_jobs_queued_idx" ON "matching_jobs"("reconciliation_id") WHERE "status" = 'queued';

-- No sequence of requests and runs holds a record beyond its amount. A record without an amount, or with none left to divide, is held once.
ALTER TABLE "reconciliation_items" ADD CONSTRAINT "reconciliation_items_held_check" CHECK (
  "holds" >= 0 AND CASE WHEN coalesce("amount", 0) = 0 THEN "held" = 0 AND "holds" <= 1
                        ELSE "held" * "amount" >= 0 AND abs("held") <= abs("amount") END);

SELECT restrict_to_tenant('reconciliations');
SELECT restrict_to_tenant('reconciliation_datasets');
SELECT restrict_to_tenant('reconciliation_passes');
SELECT restrict_to_tenant('reconciliation_items');
SELECT restrict_to_tenant('match_groups');
SELECT restrict_to_tenant('match_group_members');
SELECT restrict_to_tenant('match_group_adjustments');
SELECT restrict_to_tenant('match_group_definitions');
SELECT restrict_to_tenant('released_sets');
SELECT restrict_to_tenant('reason_codes');
SELECT restrict_to_tenant('audit_entries');
REVOKE UPDATE, DELETE ON "audit_entries", "match_group_members", "match_group_adjustments" FROM tieout_tenant;
REVOKE DELETE ON "match_groups" FROM tieout_tenant;

-- The value of a dotted path: of the normalised fields where they have its first key, else of the data.
CREATE FUNCTION "value_at"("data" jsonb, "fields" jsonb, "path" text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN "fields" ? split_part("path", '.', 1) THEN "fields" ELSE "data" END #> string_to_array("path", '.')
$$;

-- Reads an amount as rule sets do: a number, or a decimal text; more than four decimals are rounded half to even. Null: none.
CREATE FUNCTION "amount_of"("value" jsonb) RETURNS numeric LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  written text := btrim("value" #>> '{}', E' \t\n\r\f\v\u00a0\ufeff');
  exact numeric;
  rounded numeric;
BEGIN
  IF jsonb_typeof("value") = 'number' THEN
    exact := written::numeric;
  ELSIF jsonb_typeof("value") = 'string' AND length(written) <= 400 AND written ~ '^[+-]?(\d+\.?\d*|\.\d+)$' THEN
    exact := written::numeric;
  ELSE
    RETURN NULL;
  END IF;
  IF abs(exact) >= 1e16 THEN RETURN NULL; END IF;
  rounded := round(exact, 4);
  IF scale(exact) > 4 AND abs(exact - trunc(exact, 4)) = 0.00005 AND mod(abs(rounded) * 10000, 2) = 1 THEN
    rounded := trunc(exact, 4);
  END IF;
  RETURN CASE WHEN abs(rounded) * power(10::numeric, min_scale(rounded)) <= 9007199254740991 THEN rounded END;
END $$;

-- Reads a day as rule sets do: YYYY-MM-DD, or a timestamp; one with an offset counts on its day in the zone. Null: none.
CREATE FUNCTION "day_of"("value" jsonb, "zone" text) RETURNS date LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  written text := "value" #>> '{}';
  part text[];
  moment timestamp;
BEGIN
  IF jsonb_typeof("value") IS DISTINCT FROM 'string' OR length(written) > 60 THEN RETURN NULL; END IF;
  part := regexp_match(written,
    '^(\d{4})-(\d\d)-(\d\d)(?:[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:([Zz])|([+-])([01]\d|2[0-3]):([0-5]\d))?)?$');
  IF part IS NULL OR part[1] = '0000' OR part[2] NOT BETWEEN '01' AND '12' OR part[3] NOT BETWEEN '01' AND '31'
     OR part[3]::int > extract(day FROM make_date(part[1]::int, part[2]::int, 1) + interval '1 month' - interval '1 day') THEN
    RETURN NULL;
  END IF;
  moment := make_date(part[1]::int, part[2]::int, part[3]::int);
  IF part[7] IS NULL AND part[8] IS NULL THEN RETURN moment::date; END IF;
  moment := moment + make_interval(hours => part[4]::int, mins => part[5]::int);
  IF part[8] IS NOT NULL THEN
    moment := moment - (part[8] || '1')::int * make_interval(hours => part[9]::int, mins => part[10]::int);
  END IF;
  RETURN (moment AT TIME ZONE 'UTC' AT TIME ZONE "zone")::date;
END $$;

-- The words of a record. A long record is searched by its beginning: a vector of words holds at most a megabyte.
CREATE FUNCTION "words_of"("data" jsonb, "fields" jsonb, "external_id" text) RETURNS tsvector LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT setweight(to_tsvector('simple', left(coalesce("external_id", ''), 1000)), 'A') ||
         CASE WHEN pg_column_size("data") < 100000
              THEN jsonb_to_tsvector('simple', "data" || coalesce("fields", '{}'), '["string", "numeric"]')
              ELSE to_tsvector('simple', left("data"::text, 100000)) END
$$;

-- What an item shows of its record.
CREATE FUNCTION "item_values"("data" jsonb, "fields" jsonb, "external_id" text, "side" smallint, "of" reconciliations,
                              OUT "amount" numeric, OUT "day" date, OUT "currency" text, OUT "search" tsvector)
LANGUAGE sql STABLE AS $$
  SELECT amount_of(value_at("data", "fields", CASE "side" WHEN 0 THEN "of".amount_key_left ELSE "of".amount_key_right END)),
         day_of(value_at("data", "fields", CASE "side" WHEN 0 THEN "of".date_key_left ELSE "of".date_key_right END), "of".timezone),
         left(value_at("data", "fields", CASE "side" WHEN 0 THEN "of".currency_key_left ELSE "of".currency_key_right END) #>> '{}', 40),
         words_of("data", "fields", "external_id")
$$;

-- Keeps `open`, which indexes and lists use, and which transaction has changed what runs depend on.
CREATE FUNCTION "set_item_open"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.revision, OLD.amount, OLD.day, OLD.currency, OLD.ready, OLD.held, OLD.holds, OLD.excluded)
       IS DISTINCT FROM (NEW.revision, NEW.amount, NEW.day, NEW.currency, NEW.ready, NEW.held, NEW.holds, NEW.excluded) THEN
    NEW.changed_by := pg_current_xact_id();
  END IF;
  NEW.open := NEW.ready AND NEW.excluded IS NULL
    AND CASE WHEN coalesce(NEW.amount, 0) = 0 THEN NEW.holds = 0 ELSE NEW.held <> NEW.amount END;
  RETURN NEW;
END $$;
CREATE TRIGGER "reconciliation_items_open" BEFORE INSERT OR UPDATE ON "reconciliation_items" FOR EACH ROW EXECUTE FUNCTION "set_item_open"();

-- Records that become ready, or change, are items of the reconciliations of their dataset. A held one keeps its amount until the change
-- is settled; what is left of a removed one is settled too.
CREATE FUNCTION "keep_items"() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NULL;
END $$;
CREATE TRIGGER "records_added_items" AFTER INSERT ON "records" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "keep_items"();
CREATE TRIGGER "records_changed_items" AFTER UPDATE ON "records" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "keep_items"();
CREATE TRIGGER "records_removed_items" AFTER DELETE ON "records" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "keep_items"();

-- What groups hold of items follows from their members alone.
CREATE FUNCTION "hold_members"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  missing int;
BEGIN
  WITH taken AS (
    SELECT tenant_id, reconciliation_id, record_id, revision, coalesce(sum(amount), 0) AS amount, count(*) AS members
      FROM added GROUP BY 1, 2, 3, 4
  ), kept AS (
    UPDATE reconciliation_items i SET held = i.held + t.amount, holds = i.holds + t.members, updated_at = now()
      FROM taken t WHERE i.tenant_id = t.tenant_id AND i.reconciliation_id = t.reconciliation_id AND i.record_id = t.record_id
       AND i.revision = t.revision AND i.ready AND i.excluded IS NULL
    RETURNING 1
  ) SELECT (SELECT count(*) FROM taken) - (SELECT count(*) FROM kept) INTO missing;
  IF missing > 0 THEN RAISE EXCEPTION 'a member of a group is no open item as it was read' USING ERRCODE = 'serialization_failure'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "match_group_members_held" AFTER INSERT ON "match_group_members" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "hold_members"();

-- A group is released once, and nothing that it stands for changes.
CREATE FUNCTION "guard_group"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'released' OR (OLD.id, OLD.reconciliation_id, OLD.kind, OLD.left_amount, OLD.right_amount, OLD.difference,
       OLD.currency, OLD.match_id, OLD.composite_match_id, OLD.matching_job_id, OLD.rule_set_id, OLD.held_at)
     IS DISTINCT FROM (NEW.id, NEW.reconciliation_id, NEW.kind, NEW.left_amount, NEW.right_amount, NEW.difference,
       NEW.currency, NEW.match_id, NEW.composite_match_id, NEW.matching_job_id, NEW.rule_set_id, NEW.held_at) THEN
    RAISE EXCEPTION 'a match group does not change: it is released' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "match_groups_guarded" BEFORE UPDATE ON "match_groups" FOR EACH ROW EXECUTE FUNCTION "guard_group"();

CREATE FUNCTION "release_members"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reconciliation_items i SET held = i.held - t.amount, holds = i.holds - t.members, updated_at = now()
    FROM (SELECT m.tenant_id, m.reconciliation_id, m.record_id, coalesce(sum(m.amount), 0) AS amount, count(*) AS members
            FROM released g JOIN was w ON w.id = g.id JOIN match_group_members m ON m.group_id = g.id
           WHERE g.status = 'released' AND w.status = 'held' GROUP BY 1, 2, 3) t
   WHERE i.tenant_id = t.tenant_id AND i.reconciliation_id = t.reconciliation_id AND i.record_id = t.record_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "match_groups_released" AFTER UPDATE ON "match_groups" REFERENCING NEW TABLE AS released OLD TABLE AS was
  FOR EACH STATEMENT EXECUTE FUNCTION "release_members"();

-- The audit chain, groups, members and adjustments are only added to, by anybody, until their tenant is deleted.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM tenants t WHERE t.id = OLD.tenant_id AND t.status = 'deleting') THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is only added to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "audit_entries_kept" BEFORE UPDATE OR DELETE ON "audit_entries" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "match_group_members_kept" BEFORE UPDATE OR DELETE ON "match_group_members" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "match_group_adjustments_kept" BEFORE UPDATE OR DELETE ON "match_group_adjustments" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "match_groups_kept" BEFORE DELETE ON "match_groups" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
