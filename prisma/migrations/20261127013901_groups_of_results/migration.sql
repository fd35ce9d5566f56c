-- A group that a run holds has the id of its match or composite; those that people confirm are found here.
CREATE INDEX "match_groups_result_idx" ON "match_groups"((coalesce("match_id", "composite_match_id")))
  WHERE coalesce("match_id", "composite_match_id") <> "id";
