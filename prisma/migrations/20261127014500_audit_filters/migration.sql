-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "audit_head_on" DATE;

-- CreateIndex
CREATE INDEX "audit_entries_action_idx" ON "audit_entries"("tenant_id", "action", "seq");

-- CreateIndex
CREATE INDEX "audit_entries_at_idx" ON "audit_entries"("tenant_id", "at");

-- CreateIndex
CREATE INDEX "audit_entries_actor_idx" ON "audit_entries"("tenant_id", coalesce("actor" ->> 'label', "actor" ->> 'id'), "seq");
