-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "heavy_failures" TEXT[] DEFAULT ARRAY[]::TEXT[];
