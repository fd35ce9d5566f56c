-- AlterTable
ALTER TABLE "matching_jobs" ADD COLUMN     "left_matched" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "left_records" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "billing_entries" (
    "job_id" UUID NOT NULL,
    "rule_set_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "rule_set_name" TEXT NOT NULL,
    "dataset_id" UUID NOT NULL,
    "dataset_name" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "matches" BIGINT NOT NULL,
    "completed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "billing_entries_pkey" PRIMARY KEY ("job_id","rule_set_id")
);

-- CreateTable
CREATE TABLE "record_counts" (
    "dataset_id" UUID NOT NULL,
    "shard" UUID NOT NULL DEFAULT gen_random_uuid(),
    "tenant_id" UUID NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "record_counts_pkey" PRIMARY KEY ("dataset_id","shard")
);

-- CreateTable
CREATE TABLE "result_counts" (
    "job_id" UUID NOT NULL,
    "rule_set_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "result_counts_pkey" PRIMARY KEY ("job_id","rule_set_id","kind","decision","status")
);

-- CreateTable
CREATE TABLE "matched_counts" (
    "tenant_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "matched_counts_pkey" PRIMARY KEY ("tenant_id","dataset_id")
);

-- CreateIndex
CREATE INDEX "billing_entries_tenant_id_period_idx" ON "billing_entries"("tenant_id", "period");

-- CreateIndex
CREATE INDEX "record_counts_tenant_id_idx" ON "record_counts"("tenant_id");

-- CreateIndex
CREATE INDEX "result_counts_rule_set_id_idx" ON "result_counts"("rule_set_id");

-- Counts the records of each dataset. A transaction adds to a row that nobody else holds, or to one of its own: it never
-- waits, and there are as many rows as transactions have written to the dataset at once.
CREATE FUNCTION "count_records"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change record;
BEGIN
  FOR change IN SELECT tenant_id, dataset_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS difference FROM changed GROUP BY 1, 2 LOOP
    UPDATE record_counts SET count = count + change.difference
     WHERE (dataset_id, shard) = (SELECT dataset_id, shard FROM record_counts WHERE dataset_id = change.dataset_id LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
      INSERT INTO record_counts (dataset_id, tenant_id, count) VALUES (change.dataset_id, change.tenant_id, change.difference);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- From here to the end nobody writes records, so that what is there is counted once.
CREATE TRIGGER "records_added" AFTER INSERT ON "records" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_records"();
CREATE TRIGGER "records_removed" AFTER DELETE ON "records" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "count_records"();
INSERT INTO "record_counts" (dataset_id, tenant_id, count) SELECT dataset_id, tenant_id, count(*) FROM records GROUP BY 1, 2;

INSERT INTO "billing_entries" (job_id, rule_set_id, tenant_id, rule_set_name, dataset_id, dataset_name, period, matches, completed_at)
SELECT j.id, e.rule_set_id, e.tenant_id, e.rule_set_name, j.dataset_id, j.dataset_name, to_char(j.finished_at AT TIME ZONE 'UTC', 'YYYY-MM'),
       coalesce((SELECT sum(matched) FROM job_batches b WHERE b.entry_id = e.id), 0) - e.demoted - e.withheld_match, j.finished_at
  FROM job_rule_sets e JOIN matching_jobs j ON j.id = e.job_id WHERE j.status = 'completed' AND j.finished_at IS NOT NULL;

INSERT INTO "result_counts" (job_id, rule_set_id, kind, decision, status, tenant_id, count)
SELECT m.job_id, m.rule_set_id, 'match', m.decision, '', m.tenant_id, count(*)
  FROM matches m JOIN rule_sets r ON r.id = m.rule_set_id AND r.live_job_id = m.job_id GROUP BY 1, 2, 4, 6
UNION ALL
SELECT c.job_id, c.rule_set_id, 'composite', c.decision, c.status, c.tenant_id, count(*)
  FROM composite_matches c JOIN rule_sets r ON r.id = c.rule_set_id AND r.live_job_id = c.job_id GROUP BY 1, 2, 4, 5, 6;

INSERT INTO "matched_counts" (tenant_id, dataset_id, count)
SELECT e.tenant_id, e.left_dataset_id, count(DISTINCT found.id)
  FROM (
    SELECT job_id, rule_set_id, decision, review_status, left_record_id AS id FROM matches
    UNION ALL
    SELECT job_id, rule_set_id, decision, review_status, target_record_id FROM composite_matches WHERE direction = 'one_to_many'
    UNION ALL
    SELECT c.job_id, c.rule_set_id, c.decision, c.review_status, m.record_id
      FROM composite_matches c JOIN composite_members m ON m.composite_id = c.id WHERE c.direction = 'many_to_one'
  ) found
  JOIN job_rule_sets e ON e.job_id = found.job_id AND e.rule_set_id = found.rule_set_id
  JOIN rule_sets r ON r.id = found.rule_set_id
 WHERE found.review_status = 'confirmed' OR (found.review_status IS NULL AND found.decision = 'MATCH' AND r.live_job_id = found.job_id)
 GROUP BY 1, 2;
