-- AlterTable
ALTER TABLE "job_batches" ADD COLUMN     "cut_rights" BYTEA;

-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "absent_fields" JSONB NOT NULL DEFAULT '[]';
