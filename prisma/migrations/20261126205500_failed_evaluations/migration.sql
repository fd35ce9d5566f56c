-- AlterTable
ALTER TABLE "job_batches" ADD COLUMN     "failed_evaluations" BIGINT NOT NULL DEFAULT 0;
