-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "withheld_match" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "withheld_possible" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "withheld_score" DOUBLE PRECISION NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "matches" ADD COLUMN     "review_note" TEXT,
ADD COLUMN     "review_status" TEXT,
ADD COLUMN     "reviewed_at" TIMESTAMPTZ(3),
ADD COLUMN     "reviewed_by" UUID;

-- CreateIndex
CREATE INDEX "matches_reviewed_idx" ON "matches"("tenant_id", "rule_set_id", "id") WHERE "review_status" IS NOT NULL;
