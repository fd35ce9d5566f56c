-- AlterTable
ALTER TABLE "job_batches" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'pairs';

-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "assigned_at" TIMESTAMPTZ(3),
ADD COLUMN     "composite_match" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "composite_possible" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "composite_matches" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "rule_set_id" UUID NOT NULL,
    "rule_set_version" INTEGER NOT NULL,
    "direction" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "expected_member_count" INTEGER NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "decision" TEXT NOT NULL,
    "target_record_id" UUID NOT NULL,
    "target_amount" DOUBLE PRECISION NOT NULL,
    "composed_amount" DOUBLE PRECISION NOT NULL,
    "amount_delta" DOUBLE PRECISION NOT NULL,
    "explanation" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "review_status" TEXT,
    "review_note" TEXT,
    "reviewed_at" TIMESTAMPTZ(3),
    "reviewed_by" UUID,

    CONSTRAINT "composite_matches_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "composite_members" (
    "composite_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "tenant_id" UUID NOT NULL,
    "record_id" UUID NOT NULL,
    "amount" DOUBLE PRECISION NOT NULL,
    "day" DATE,

    CONSTRAINT "composite_members_pkey" PRIMARY KEY ("composite_id","position")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "composite_matches_job_id_id_idx" ON "composite_matches"("job_id", "id");

-- CreateIndex
CREATE INDEX "composite_matches_rule_set_id_job_id_id_idx" ON "composite_matches"("rule_set_id", "job_id", "id");

-- CreateIndex
CREATE INDEX "composite_matches_reviewed_idx" ON "composite_matches"("rule_set_id", "id") WHERE "review_status" IS NOT NULL;

-- CreateIndex
CREATE INDEX "composite_matches_target_record_id_idx" ON "composite_matches"("target_record_id");

-- CreateIndex
CREATE INDEX "composite_members_record_id_idx" ON "composite_members"("record_id");
