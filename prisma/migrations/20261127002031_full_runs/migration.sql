-- AlterTable
ALTER TABLE "matching_jobs" ADD COLUMN     "changes" JSONB,
ADD COLUMN     "closed_periods" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "run_changes" (
    "job_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "tie_id" UUID,
    "would" JSONB NOT NULL,

    CONSTRAINT "run_changes_pkey" PRIMARY KEY ("job_id","kind","id")
);

-- AddForeignKey
ALTER TABLE "run_changes" ADD CONSTRAINT "run_changes_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matching_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

SELECT restrict_to_tenant('run_changes');

-- One run waits, and one dry run of each mode, which answers another question.
DROP INDEX "matching_jobs_queued_idx";
CREATE UNIQUE INDEX "matching_jobs_queued_idx" ON "matching_jobs"("reconciliation_id", (CASE WHEN "dry_run" THEN "mode" ELSE '' END))
  WHERE "status" = 'queued';

-- A full run sees held items too: it has to find those that change, or whose group people confirm, after its plan.
CREATE FUNCTION "note_flagged_item"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_by := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER "reconciliation_items_flagged" BEFORE UPDATE OF "changed" ON "reconciliation_items" FOR EACH ROW
  WHEN (OLD."changed" IS DISTINCT FROM NEW."changed") EXECUTE FUNCTION "note_flagged_item"();
CREATE FUNCTION "note_confirmed_items"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reconciliation_items i SET changed_by = pg_current_xact_id() FROM match_group_members m
   WHERE m.group_id = NEW.id AND i.tenant_id = NEW.tenant_id AND i.reconciliation_id = NEW.reconciliation_id AND i.record_id = m.record_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "match_groups_confirmed" AFTER UPDATE OF "origin" ON "match_groups" FOR EACH ROW
  WHEN (OLD."origin" IS DISTINCT FROM NEW."origin") EXECUTE FUNCTION "note_confirmed_items"();
