-- Row-level security keeps conditions on coalesce away from indexes, whatever it holds: lists by day and pages of them read all items before.
ALTER TABLE "reconciliation_items" ADD COLUMN "day_rank" DATE GENERATED ALWAYS AS (coalesce("day", 'infinity')) STORED;
CREATE INDEX "reconciliation_items_days_idx" ON "reconciliation_items"("reconciliation_id", "side", "day_rank", "record_id") WHERE "open";
DROP INDEX "reconciliation_items_day_idx";
