-- AlterTable
ALTER TABLE "records" ADD COLUMN     "file_id" UUID;

-- CreateTable
CREATE TABLE "data_source_files" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "data_source_id" UUID NOT NULL,
    "dataset_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'receiving',
    "original_name" TEXT NOT NULL DEFAULT '',
    "file_path" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL DEFAULT 0,
    "content_hash" BYTEA,
    "options" JSONB NOT NULL DEFAULT '{}',
    "detected" JSONB,
    "owner" BOOLEAN NOT NULL DEFAULT false,
    "duplicate_of" UUID,
    "next_line" INTEGER NOT NULL DEFAULT 0,
    "next_offset" BIGINT,
    "ready_rows" INTEGER NOT NULL DEFAULT 0,
    "failed_rows" INTEGER NOT NULL DEFAULT 0,
    "rejected_rows" INTEGER NOT NULL DEFAULT 0,
    "error_code" TEXT,
    "error_message" TEXT,
    "uploaded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "processed_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_source_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "file_rejections" (
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "tenant_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "column" TEXT,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "raw" TEXT NOT NULL,

    CONSTRAINT "file_rejections_pkey" PRIMARY KEY ("file_id","position")
);

-- CreateIndex
CREATE INDEX "data_source_files_tenant_id_data_source_id_id_idx" ON "data_source_files"("tenant_id", "data_source_id", "id");

-- CreateIndex
CREATE INDEX "data_source_files_dataset_id_content_hash_idx" ON "data_source_files"("dataset_id", "content_hash");

-- CreateIndex
CREATE INDEX "data_source_files_open_idx" ON "data_source_files"("updated_at") WHERE "status" IN ('receiving', 'uploaded', 'processing', 'deleted');

-- AddForeignKey
ALTER TABLE "data_source_files" ADD CONSTRAINT "data_source_files_data_source_id_fkey" FOREIGN KEY ("data_source_id") REFERENCES "data_sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file_rejections" ADD CONSTRAINT "file_rejections_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "data_source_files"("id") ON DELETE CASCADE ON UPDATE CASCADE;
