-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "composition" JSONB NOT NULL DEFAULT '{}';
