-- AlterTable
ALTER TABLE "reconciliations" ADD COLUMN     "refusal" JSONB;

-- AlterTable
ALTER TABLE "period_certificates" ADD COLUMN     "name" TEXT;
