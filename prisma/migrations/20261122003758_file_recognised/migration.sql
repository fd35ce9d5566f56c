-- AlterTable
ALTER TABLE "data_source_files" ADD COLUMN     "recognised" JSONB;
