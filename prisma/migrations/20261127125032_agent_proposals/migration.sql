-- CreateTable
CREATE TABLE "agent_proposals" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "input_hash" BYTEA NOT NULL,
    "reconciliation_id" UUID,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "proposed_by" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_by" JSONB,
    "decided_at" TIMESTAMPTZ(3),
    "decision_note" TEXT,
    "result_id" UUID,

    CONSTRAINT "agent_proposals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "agent_proposals_tenant_id_id_idx" ON "agent_proposals"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "agent_proposals_decided_idx" ON "agent_proposals"("status", "decided_at");

-- The same proposal waits once, however often an agent makes it.
CREATE UNIQUE INDEX "agent_proposals_pending_key" ON "agent_proposals"("tenant_id", "input_hash") WHERE "status" = 'pending';

SELECT restrict_to_tenant('agent_proposals');
