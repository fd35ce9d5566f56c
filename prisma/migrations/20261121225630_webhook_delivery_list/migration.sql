-- DropIndex
DROP INDEX "webhook_deliveries_tenant_id_webhook_id_id_idx";

-- CreateIndex
CREATE INDEX "webhook_deliveries_list_idx" ON "webhook_deliveries"("tenant_id", "webhook_id", "status", "id", "event_type");
