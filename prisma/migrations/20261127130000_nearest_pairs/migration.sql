-- AlterTable
ALTER TABLE "unmatched_blocks" ADD COLUMN     "nearest" BYTEA;

-- Ids do not compress.
ALTER TABLE "unmatched_blocks" ALTER COLUMN "nearest" SET STORAGE EXTERNAL;
