-- AlterTable
ALTER TABLE "data_source_files" ADD COLUMN     "repeated_rows" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "replaced_by" UUID,
ADD COLUMN     "replaces" UUID,
ADD COLUMN     "started_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "records" ADD COLUMN     "line" INTEGER,
ADD COLUMN     "row_key" UUID;

-- CreateIndex
CREATE INDEX "file_rejections_file_id_line_idx" ON "file_rejections"("file_id", "line");

-- CreateIndex
CREATE INDEX "records_failed_rows_idx" ON "records"("file_id", "line") WHERE "status" = 'failed' AND "line" IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "records_row_key_idx" ON "records"("dataset_id", "row_key") WHERE "row_key" IS NOT NULL;
