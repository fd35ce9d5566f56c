-- CreateTable
CREATE TABLE "suggestions" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "left_dataset_id" UUID NOT NULL,
    "right_dataset_id" UUID NOT NULL,
    "sample_limit" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "error" JSONB,
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "suggestions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "suggestions_tenant_id_id_idx" ON "suggestions"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "suggestions_open_idx" ON "suggestions"("status") WHERE "status" IN ('queued', 'running');

-- CreateIndex
CREATE INDEX "suggestions_left_dataset_id_idx" ON "suggestions"("left_dataset_id");

-- CreateIndex
CREATE INDEX "suggestions_right_dataset_id_idx" ON "suggestions"("right_dataset_id");

SELECT restrict_to_tenant('suggestions');
