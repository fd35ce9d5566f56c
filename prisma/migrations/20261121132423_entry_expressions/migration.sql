-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "expressions" JSONB NOT NULL DEFAULT '{}';
