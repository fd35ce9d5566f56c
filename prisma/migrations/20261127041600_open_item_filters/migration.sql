-- What people say about items, of which there are few among many. The index of amounts holds what totals add up.
CREATE INDEX "reconciliation_items_assignee_idx" ON "reconciliation_items"("reconciliation_id", "assignee") WHERE "assignee" IS NOT NULL;
CREATE INDEX "reconciliation_items_reason_idx" ON "reconciliation_items"("reconciliation_id", "reason_code") WHERE "reason_code" IS NOT NULL;
CREATE INDEX "reconciliation_items_snoozed_idx" ON "reconciliation_items"("reconciliation_id", "snoozed_until") WHERE "snoozed_until" IS NOT NULL;
CREATE INDEX "reconciliation_items_excluded_idx" ON "reconciliation_items"("reconciliation_id", "side") WHERE "excluded" IS NOT NULL;
CREATE INDEX "reconciliation_items_amounts_idx" ON "reconciliation_items"("reconciliation_id", "side", "amount_rank", "record_id")
  INCLUDE ("tenant_id", "amount", "held", "currency", "day") WHERE "open";
DROP INDEX "reconciliation_items_amount_rank_idx";

-- Lists of the groups of a month, and whether earlier months have groups.
CREATE INDEX "match_groups_period_idx" ON "match_groups"("reconciliation_id", "period", "id");
