-- Whether a group is late follows from its month and its members, neither of which changes; read from them, a list of late groups took seconds at
-- half a million.
ALTER TABLE "match_groups" ADD COLUMN "late" BOOLEAN NOT NULL DEFAULT false;

-- Only where a month was ever closed can a group count in a later one. The triggers would refuse a released group.
ALTER TABLE "match_groups" DISABLE TRIGGER USER;
UPDATE match_groups g SET late = true
 WHERE EXISTS (SELECT FROM period_certificates c WHERE c.reconciliation_id = g.reconciliation_id)
   AND g.period > (SELECT to_char(max(m.day), 'YYYY-MM') FROM match_group_members m WHERE m.group_id = g.id);
ALTER TABLE "match_groups" ENABLE TRIGGER USER;

-- CreateIndex
CREATE INDEX "match_groups_late_idx" ON "match_groups"("reconciliation_id", "id") WHERE "late";
