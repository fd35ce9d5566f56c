-- CreateTable
CREATE TABLE "simulations" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "left_dataset_id" UUID NOT NULL,
    "right_dataset_id" UUID NOT NULL,
    "definition" JSONB NOT NULL,
    "against_rule_set_id" UUID,
    "sample_records" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "error" JSONB,
    "answer" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "simulations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "simulations_tenant_id_id_idx" ON "simulations"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "simulations_open_idx" ON "simulations"("status") WHERE "status" IN ('queued', 'running');

-- CreateIndex
CREATE INDEX "simulations_left_dataset_id_idx" ON "simulations"("left_dataset_id");

-- CreateIndex
CREATE INDEX "simulations_right_dataset_id_idx" ON "simulations"("right_dataset_id");

SELECT restrict_to_tenant('simulations');
