-- AlterTable
ALTER TABLE "composite_matches" ADD COLUMN     "reviewed_by_user" UUID;

-- AlterTable
ALTER TABLE "match_groups" ADD COLUMN     "approval" TEXT,
ADD COLUMN     "confirmed_by" JSONB,
ADD COLUMN     "decided_at" TIMESTAMPTZ(3),
ADD COLUMN     "decided_by" JSONB,
ADD COLUMN     "decision_note" TEXT;

-- AlterTable
ALTER TABLE "matches" ADD COLUMN     "reviewed_by_user" UUID;

-- AlterTable
ALTER TABLE "reconciliations" ADD COLUMN     "approval_above" DECIMAL(24,4);

-- What waits for approval is found among many groups that need none.
CREATE INDEX "match_groups_pending_idx" ON "match_groups"("reconciliation_id", "id") WHERE "approval" = 'pending' AND "status" = 'held';

-- A decision is made once, about a group that waits for it.
CREATE FUNCTION "guard_approval"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.approval IS DISTINCT FROM 'pending' OR NEW.approval IS NULL OR NEW.approval NOT IN ('approved', 'rejected') THEN
    RAISE EXCEPTION 'a match group is approved or rejected once' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "match_groups_decided" BEFORE UPDATE OF "approval" ON "match_groups" FOR EACH ROW
  WHEN (OLD."approval" IS DISTINCT FROM NEW."approval") EXECUTE FUNCTION "guard_approval"();
