-- A run reads the open items of which groups hold a part; there are few of them among many open ones.
CREATE INDEX "reconciliation_items_part_idx" ON "reconciliation_items"("reconciliation_id") WHERE "open" AND "held" <> 0;
