-- Row-level security keeps conditions on decimals away from indexes, because their operators may tell what rows of others hold; those on
-- doubles do not. Amounts that differ beyond a double are of one rank, and compared themselves too.
ALTER TABLE "reconciliation_items"
  ADD COLUMN "amount_rank" DOUBLE PRECISION GENERATED ALWAYS AS (coalesce("amount", 'NaN')::double precision) STORED;
CREATE INDEX "reconciliation_items_amount_rank_idx" ON "reconciliation_items"("reconciliation_id", "side", "amount_rank", "record_id") WHERE "open";
DROP INDEX "reconciliation_items_amount_idx";
