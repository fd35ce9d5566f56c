-- By lease first: entries of attempts that are long over, which may not be removable yet, are not read.
DROP INDEX "webhook_deliveries_sending_idx";

-- CreateIndex
CREATE INDEX "webhook_deliveries_sending_idx" ON "webhook_deliveries"("tenant_id", "lease_until", "webhook_id") WHERE "status" = 'sending';
