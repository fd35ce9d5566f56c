-- Items with a note are few: those without an explanation are all others.
CREATE INDEX "reconciliation_items_note_idx" ON "reconciliation_items"("reconciliation_id") WHERE "note" IS NOT NULL;

-- Row-level security keeps conditions on coalesce away from indexes: each proposal of a list read all groups. A group that a run holds has the id
-- of its match or composite, so these hold only what people have confirmed.
CREATE INDEX "match_groups_match_idx" ON "match_groups"("match_id") WHERE "match_id" <> "id";
CREATE INDEX "match_groups_composite_idx" ON "match_groups"("composite_match_id") WHERE "composite_match_id" <> "id";
DROP INDEX "match_groups_result_idx";

-- The adjustments of a tenant, of which there are few beside groups.
CREATE INDEX "match_group_adjustments_tenant_idx" ON "match_group_adjustments"("tenant_id", "group_id");
