-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "allowed_cidrs" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "created_by_id" UUID,
ADD COLUMN     "created_by_label" TEXT,
ADD COLUMN     "created_by_type" TEXT,
ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_key_id" TEXT,
ADD COLUMN     "previous_last4" TEXT,
ADD COLUMN     "previous_secret_hash" BYTEA,
ADD COLUMN     "previous_until" TIMESTAMPTZ(3),
ADD COLUMN     "retired_key_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "secret_holder_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_previous_key_id_key" ON "api_keys"("previous_key_id");

-- CreateIndex
CREATE INDEX "api_keys_tenant_id_created_by_id_idx" ON "api_keys"("tenant_id", "created_by_id");
