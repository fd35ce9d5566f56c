-- Counts the groups that earlier runs have made and that are held: their results are live.
CREATE INDEX "match_groups_live_idx" ON "match_groups"("tenant_id", "kind", "rule_set_id", "matching_job_id")
  WHERE "status" = 'held' AND "origin" = 'auto';
