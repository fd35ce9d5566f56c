-- AlterTable
ALTER TABLE "data_source_files" ADD COLUMN     "expired_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "results_expired_at" TIMESTAMPTZ(3);

-- CreateIndex: files that still have their bytes
CREATE INDEX "data_source_files_expiring_idx" ON "data_source_files"("processed_at") WHERE expired_at IS NULL AND status IN ('ready', 'failed');

-- CreateIndex: results that are still there
CREATE INDEX "job_rule_sets_unexpired_idx" ON "job_rule_sets"("rule_set_id", "job_id") WHERE results_expired_at IS NULL;
