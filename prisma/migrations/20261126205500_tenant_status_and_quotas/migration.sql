-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "deleting_since" TIMESTAMPTZ(3),
ADD COLUMN     "erased" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "quotas" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "status" TEXT NOT NULL DEFAULT 'active';

-- CreateIndex
CREATE INDEX "tenants_inactive_idx" ON "tenants"("id") WHERE "status" <> 'active';

-- CreateIndex
CREATE INDEX "data_source_files_kept_idx" ON "data_source_files"("tenant_id", "size_bytes") WHERE "expired_at" IS NULL AND "status" <> 'deleted';

-- The quota of records holds for whatever inserts records. The limit of the deployment comes with the session. Far from the limit nobody
-- waits for anybody: what transactions in progress can add lies within the margin. Near it, those of a tenant come one after the other,
-- and each sees what the one before has committed. The lock is taken before the first row, so that no two wait for each other.
CREATE FUNCTION "hold_record_quota"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "tenant" uuid := nullif(current_setting('tieout.tenant_id', true), '')::uuid;
  "margin" CONSTANT bigint := 1000000;
  "most" bigint;
  "used" bigint;
BEGIN
  IF "tenant" IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT coalesce((t.quotas ->> 'records')::bigint, nullif(current_setting('tieout.max_records', true), '')::bigint) INTO "most"
    FROM tenants t WHERE t.id = "tenant";
  SELECT coalesce(sum(count), 0) INTO "used" FROM record_counts WHERE tenant_id = "tenant";
  IF "most" IS NULL OR "used" + "margin" <= "most" THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('records of tenant ' || "tenant"::text, 0));
  IF coalesce(current_setting('tieout.record_quota', true), '') = '' THEN
    SELECT coalesce(sum(count), 0) INTO "used" FROM record_counts WHERE tenant_id = "tenant";
    PERFORM set_config('tieout.record_quota', "most" || ' ' || "used", true);
  END IF;
  RETURN NULL;
END $$;

-- Adds what a statement inserted or deleted, and refuses an insert beyond the quota that the function above has noted.
CREATE OR REPLACE FUNCTION "count_records"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
  "quota" text[] := string_to_array(nullif(current_setting('tieout.record_quota', true), ''), ' ');
BEGIN
  FOR change IN SELECT tenant_id, dataset_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS difference FROM changed GROUP BY 1, 2 LOOP
    UPDATE record_counts SET count = count + change.difference
     WHERE (dataset_id, shard) = (SELECT dataset_id, shard FROM record_counts WHERE dataset_id = change.dataset_id LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
      INSERT INTO record_counts (dataset_id, tenant_id, count) VALUES (change.dataset_id, change.tenant_id, change.difference);
    END IF;
    IF TG_OP = 'INSERT' AND "quota" IS NOT NULL
       AND (SELECT sum(count) FROM record_counts WHERE tenant_id = change.tenant_id) > "quota"[1]::bigint THEN
      RAISE EXCEPTION 'quota of records: % of % in use', "quota"[2], "quota"[1] USING ERRCODE = 'TQ001';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER "records_quota" BEFORE INSERT ON "records" FOR EACH STATEMENT EXECUTE FUNCTION "hold_record_quota"();
