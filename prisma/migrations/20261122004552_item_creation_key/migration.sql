-- AlterTable
ALTER TABLE "items" ADD COLUMN     "creation_key" UUID;
