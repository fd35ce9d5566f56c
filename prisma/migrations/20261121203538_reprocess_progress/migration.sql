-- AlterTable
ALTER TABLE "datasets" ADD COLUMN     "reprocess_taken" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "reprocessing_version" INTEGER NOT NULL DEFAULT 1;
