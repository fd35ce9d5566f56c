-- AlterTable
ALTER TABLE "reconciliations" ADD COLUMN     "refusals" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refused_until" TIMESTAMPTZ(3);
