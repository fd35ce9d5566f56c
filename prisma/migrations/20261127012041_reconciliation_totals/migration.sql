-- CreateTable
CREATE TABLE "reconciliation_totals" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "tenant_id" UUID NOT NULL,
    "reconciliation_id" UUID NOT NULL,
    "side" SMALLINT,
    "state" TEXT NOT NULL,
    "currency" TEXT,
    "day" DATE,
    "count" BIGINT NOT NULL,
    "amount" DECIMAL(30,4) NOT NULL,
    "held" DECIMAL(30,4) NOT NULL,
    "folded" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "reconciliation_totals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "reconciliation_totals_reconciliation_id_idx" ON "reconciliation_totals"("reconciliation_id");

-- CreateIndex
CREATE INDEX "reconciliation_totals_unfolded_idx" ON "reconciliation_totals"("reconciliation_id") WHERE NOT "folded";

SELECT restrict_to_tenant('reconciliation_totals');

CREATE FUNCTION "sum_items"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO reconciliation_totals (tenant_id, reconciliation_id, side, state, currency, day, count, amount, held)
    SELECT tenant_id, reconciliation_id, side, CASE WHEN excluded IS NOT NULL THEN 'excluded' WHEN open THEN 'open' ELSE 'held' END, currency, day,
           sum(n), sum(n * coalesce(amount, 0)), sum(n * held)
      FROM (SELECT 1 AS n, tenant_id, reconciliation_id, side, excluded, open, currency, day, amount, held, ready, holds FROM changed UNION ALL SELECT -1, tenant_id, reconciliation_id, side, excluded, open, currency, day, amount, held, ready, holds FROM was) i WHERE ready OR holds > 0 GROUP BY 1, 2, 3, 4, 5, 6
    HAVING sum(n) <> 0 OR sum(n * coalesce(amount, 0)) <> 0 OR sum(n * held) <> 0;
  ELSE
    INSERT INTO reconciliation_totals (tenant_id, reconciliation_id, side, state, currency, day, count, amount, held)
    SELECT tenant_id, reconciliation_id, side, CASE WHEN excluded IS NOT NULL THEN 'excluded' WHEN open THEN 'open' ELSE 'held' END, currency, day,
           sum(n), sum(n * coalesce(amount, 0)), sum(n * held)
      FROM (SELECT CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS n, tenant_id, reconciliation_id, side, excluded, open, currency, day, amount, held, ready, holds FROM changed) i WHERE ready OR holds > 0 GROUP BY 1, 2, 3, 4, 5, 6
    HAVING sum(n) <> 0 OR sum(n * coalesce(amount, 0)) <> 0 OR sum(n * held) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION "sum_groups"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO reconciliation_totals (tenant_id, reconciliation_id, state, count, amount, held)
    SELECT tenant_id, reconciliation_id, origin, sum(n), sum(n * coalesce(difference, 0)), 0
      FROM (SELECT 1 AS n, tenant_id, reconciliation_id, origin, difference, status FROM changed UNION ALL SELECT -1, tenant_id, reconciliation_id, origin, difference, status FROM was) g WHERE status = 'held' GROUP BY 1, 2, 3 HAVING sum(n) <> 0 OR sum(n * coalesce(difference, 0)) <> 0;
  ELSE
    INSERT INTO reconciliation_totals (tenant_id, reconciliation_id, state, count, amount, held)
    SELECT tenant_id, reconciliation_id, origin, sum(n), sum(n * coalesce(difference, 0)), 0
      FROM (SELECT CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS n, tenant_id, reconciliation_id, origin, difference, status FROM changed) g WHERE status = 'held' GROUP BY 1, 2, 3 HAVING sum(n) <> 0 OR sum(n * coalesce(difference, 0)) <> 0;
  END IF;
  RETURN NULL;
END $$;

-- From here to the end nobody writes items and groups, so that what is there is summed up once.
CREATE TRIGGER "reconciliation_items_added" AFTER INSERT ON "reconciliation_items" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "sum_items"();
CREATE TRIGGER "reconciliation_items_changed" AFTER UPDATE ON "reconciliation_items" REFERENCING NEW TABLE AS changed OLD TABLE AS was
  FOR EACH STATEMENT EXECUTE FUNCTION "sum_items"();
CREATE TRIGGER "reconciliation_items_removed" AFTER DELETE ON "reconciliation_items" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "sum_items"();
CREATE TRIGGER "match_groups_summed" AFTER INSERT ON "match_groups" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "sum_groups"();
CREATE TRIGGER "match_groups_summed_again" AFTER UPDATE ON "match_groups" REFERENCING NEW TABLE AS changed OLD TABLE AS was
  FOR EACH STATEMENT EXECUTE FUNCTION "sum_groups"();
INSERT INTO reconciliation_totals (tenant_id, reconciliation_id, side, state, currency, day, count, amount, held)
SELECT tenant_id, reconciliation_id, side, CASE WHEN excluded IS NOT NULL THEN 'excluded' WHEN open THEN 'open' ELSE 'held' END, currency, day,
       sum(n), sum(n * coalesce(amount, 0)), sum(n * held)
  FROM (SELECT 1 AS n, tenant_id, reconciliation_id, side, excluded, open, currency, day, amount, held, ready, holds FROM reconciliation_items) i WHERE ready OR holds > 0 GROUP BY 1, 2, 3, 4, 5, 6
HAVING sum(n) <> 0 OR sum(n * coalesce(amount, 0)) <> 0 OR sum(n * held) <> 0;
INSERT INTO reconciliation_totals (tenant_id, reconciliation_id, state, count, amount, held)
SELECT tenant_id, reconciliation_id, origin, sum(n), sum(n * coalesce(difference, 0)), 0
  FROM (SELECT 1 AS n, tenant_id, reconciliation_id, origin, difference, status FROM match_groups) g WHERE status = 'held' GROUP BY 1, 2, 3 HAVING sum(n) <> 0 OR sum(n * coalesce(difference, 0)) <> 0;
