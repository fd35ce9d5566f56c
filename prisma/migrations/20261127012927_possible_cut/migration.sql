-- AlterTable
ALTER TABLE "job_batches" ADD COLUMN     "possible_cut" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "possible_cut_score" DOUBLE PRECISION NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "possible_cut" BIGINT NOT NULL DEFAULT 0;
