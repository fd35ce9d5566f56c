-- AlterTable
ALTER TABLE "suggestions" ADD COLUMN     "rule_set_id" UUID;
