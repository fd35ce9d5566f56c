-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "tenants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "key_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "last4" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "scopes" TEXT[],
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "tenant_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("tenant_id","operation","key")
);

-- CreateTable
CREATE TABLE "data_sources" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "datasets" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "data_source_id" UUID,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "selection" JSONB NOT NULL DEFAULT '{}',
    "fields_version" INTEGER NOT NULL DEFAULT 1,
    "reprocessed_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "datasets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dataset_fields" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "source_path" TEXT,
    "transform_expr" TEXT,
    "is_identity" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dataset_fields_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "records" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "external_id" TEXT,
    "data" JSONB NOT NULL,
    "fields" JSONB,
    "status" TEXT NOT NULL DEFAULT 'received',
    "error" JSONB,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "records_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "rule_sets" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "left_dataset_id" UUID NOT NULL,
    "right_dataset_id" UUID NOT NULL,
    "engine" TEXT NOT NULL,
    "jsonata_expr" TEXT,
    "params" JSONB NOT NULL,
    "logic_json" JSONB,
    "version" INTEGER NOT NULL DEFAULT 1,
    "live_job_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rule_sets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "matching_jobs" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "dataset_name" TEXT NOT NULL,
    "job_group_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "error" JSONB,
    "planned_at" TIMESTAMPTZ(3),
    "records_total" INTEGER NOT NULL DEFAULT 0,
    "failed_records" INTEGER NOT NULL DEFAULT 0,
    "pending_records" INTEGER NOT NULL DEFAULT 0,
    "average_score" DOUBLE PRECISION,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "matching_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_rule_sets" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "rule_set_id" UUID NOT NULL,
    "rule_set_name" TEXT NOT NULL,
    "rule_set_version" INTEGER NOT NULL,
    "left_dataset_id" UUID NOT NULL,
    "right_dataset_id" UUID NOT NULL,
    "definition" JSONB NOT NULL,
    "position" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "left_count" INTEGER NOT NULL DEFAULT 0,
    "right_count" INTEGER NOT NULL DEFAULT 0,
    "staged_rows" INTEGER NOT NULL DEFAULT 0,
    "amount_scale" INTEGER NOT NULL DEFAULT 2,
    "pairs_total" BIGINT NOT NULL DEFAULT 0,
    "unblocked" JSONB NOT NULL DEFAULT '{}',
    "filter_errors" INTEGER NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "demoted" BIGINT NOT NULL DEFAULT 0,
    "timings" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_rule_sets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_batches" (
    "entry_id" UUID NOT NULL,
    "batch_no" INTEGER NOT NULL,
    "tenant_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "done" BOOLEAN NOT NULL DEFAULT false,
    "done_at" TIMESTAMPTZ(3),
    "bounds" JSONB NOT NULL,
    "left_rows" INTEGER NOT NULL,
    "pairs" BIGINT NOT NULL,
    "matched" BIGINT NOT NULL DEFAULT 0,
    "possible" BIGINT NOT NULL DEFAULT 0,
    "no_match" BIGINT NOT NULL DEFAULT 0,
    "errored" BIGINT NOT NULL DEFAULT 0,
    "score_sum" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "read_ms" INTEGER NOT NULL DEFAULT 0,
    "score_ms" INTEGER NOT NULL DEFAULT 0,
    "write_ms" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "job_batches_pkey" PRIMARY KEY ("entry_id","batch_no")
);

-- CreateTable
CREATE TABLE "job_unmatched" (
    "job_id" UUID NOT NULL,
    "side" SMALLINT NOT NULL,
    "record_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "job_unmatched_pkey" PRIMARY KEY ("job_id","side","record_id")
);

-- CreateTable
CREATE TABLE "matches" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "rule_set_id" UUID NOT NULL,
    "left_record_id" UUID NOT NULL,
    "right_record_id" UUID NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "decision" TEXT NOT NULL,
    "explanation" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "matches_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_id_key" ON "api_keys"("key_id");

-- CreateIndex
CREATE INDEX "api_keys_tenant_id_id_idx" ON "api_keys"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE INDEX "data_sources_tenant_id_id_idx" ON "data_sources"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "datasets_tenant_id_id_idx" ON "datasets"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "datasets_reprocess_idx" ON "datasets"("id") WHERE "fields_version" > "reprocessed_version";

-- CreateIndex
CREATE UNIQUE INDEX "datasets_tenant_id_name_key" ON "datasets"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "dataset_fields_tenant_id_dataset_id_id_idx" ON "dataset_fields"("tenant_id", "dataset_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "dataset_fields_dataset_id_key_key" ON "dataset_fields"("dataset_id", "key");

-- CreateIndex
CREATE INDEX "records_dataset_id_id_idx" ON "records"("dataset_id", "id");

-- CreateIndex
CREATE INDEX "records_received_idx" ON "records"("updated_at") WHERE "status" = 'received';

-- CreateIndex
CREATE UNIQUE INDEX "records_dataset_id_external_id_key" ON "records"("dataset_id", "external_id");

-- CreateIndex
CREATE INDEX "rule_sets_tenant_id_id_idx" ON "rule_sets"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "rule_sets_left_dataset_id_idx" ON "rule_sets"("left_dataset_id");

-- CreateIndex
CREATE INDEX "rule_sets_right_dataset_id_idx" ON "rule_sets"("right_dataset_id");

-- CreateIndex
CREATE INDEX "matching_jobs_tenant_id_id_idx" ON "matching_jobs"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "matching_jobs_open_idx" ON "matching_jobs"("status") WHERE "status" IN ('queued', 'running');

-- CreateIndex
CREATE INDEX "job_rule_sets_rule_set_id_idx" ON "job_rule_sets"("rule_set_id");

-- CreateIndex
CREATE UNIQUE INDEX "job_rule_sets_job_id_rule_set_id_key" ON "job_rule_sets"("job_id", "rule_set_id");

-- CreateIndex
CREATE INDEX "job_batches_job_id_done_idx" ON "job_batches"("job_id", "done");

-- CreateIndex
CREATE INDEX "job_unmatched_record_id_idx" ON "job_unmatched"("record_id");

-- CreateIndex
CREATE INDEX "matches_right_record_id_idx" ON "matches"("right_record_id");

-- CreateIndex
CREATE INDEX "matches_job_id_id_idx" ON "matches"("job_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "matches_pair_key" ON "matches"("left_record_id", "right_record_id", "job_id", "rule_set_id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_sources" ADD CONSTRAINT "data_sources_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_data_source_id_fkey" FOREIGN KEY ("data_source_id") REFERENCES "data_sources"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset_fields" ADD CONSTRAINT "dataset_fields_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule_sets" ADD CONSTRAINT "rule_sets_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule_sets" ADD CONSTRAINT "rule_sets_left_dataset_id_fkey" FOREIGN KEY ("left_dataset_id") REFERENCES "datasets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule_sets" ADD CONSTRAINT "rule_sets_right_dataset_id_fkey" FOREIGN KEY ("right_dataset_id") REFERENCES "datasets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_rule_sets" ADD CONSTRAINT "job_rule_sets_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matching_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_rule_sets" ADD CONSTRAINT "job_rule_sets_rule_set_id_fkey" FOREIGN KEY ("rule_set_id") REFERENCES "rule_sets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_batches" ADD CONSTRAINT "job_batches_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "job_rule_sets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_unmatched" ADD CONSTRAINT "job_unmatched_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matching_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The snapshots that running jobs read: one unlogged table per rule set of a job, dropped with the job.
CREATE SCHEMA "staging";
