-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "vanished" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "removed_records" (
    "record_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "removed_records_pkey" PRIMARY KEY ("record_id")
);

-- CreateIndex
CREATE INDEX "removed_records_dataset_id_removed_at_idx" ON "removed_records"("dataset_id", "removed_at");

-- CreateIndex
CREATE INDEX "removed_records_removed_at_idx" ON "removed_records"("removed_at");

SELECT restrict_to_tenant('removed_records');
