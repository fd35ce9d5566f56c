-- AlterTable
ALTER TABLE "reconciliations" ADD COLUMN     "proved_at" TIMESTAMPTZ(3),
ADD COLUMN     "unexplained" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "reconciliations_proved_idx" ON "reconciliations"("proved_at" NULLS FIRST) WHERE NOT "archived";

-- CreateIndex
CREATE INDEX "reconciliation_totals_open_idx" ON "reconciliation_totals"("day", "reconciliation_id", "count") WHERE "state" = 'open';
