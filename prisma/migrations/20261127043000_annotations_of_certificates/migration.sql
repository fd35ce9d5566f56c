-- AlterTable
ALTER TABLE "period_open_items" ADD COLUMN     "annotations" JSONB;
