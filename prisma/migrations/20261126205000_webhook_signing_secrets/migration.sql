-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "old_signing_secret" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "old_signing_until" TIMESTAMPTZ(3),
ADD COLUMN     "signing_secret" TEXT NOT NULL DEFAULT '';
