-- CreateTable
CREATE TABLE "items" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "connector_id" TEXT NOT NULL,
    "client_user_id" TEXT,
    "products" TEXT[],
    "origin" TEXT NOT NULL,
    "provider_item_id" TEXT,
    "status" TEXT NOT NULL DEFAULT 'UPDATING',
    "execution_status" TEXT NOT NULL,
    "error" JSONB,
    "parameter" JSONB,
    "user_action" JSONB,
    "parameters" TEXT,
    "accounts" JSONB,
    "consent_expires_at" TIMESTAMPTZ(3),
    "step" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "waits_until" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "logged_in" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "change_no" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "item_transactions" (
    "item_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "change_no" BIGINT NOT NULL,
    "data" JSONB NOT NULL,
    "removed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "item_transactions_pkey" PRIMARY KEY ("item_id","id")
);

-- CreateTable
CREATE TABLE "item_ingests" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "dataset_name" TEXT NOT NULL,
    "account_ids" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'active',
    "error" JSONB,
    "position" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "item_ingests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "items_tenant_id_id_idx" ON "items"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "items_due_idx" ON "items"("due_at") WHERE "due_at" IS NOT NULL;

-- CreateIndex
CREATE INDEX "items_leased_idx" ON "items"("tenant_id", "lease_until") WHERE "lease_token" IS NOT NULL;

-- CreateIndex
CREATE INDEX "item_transactions_item_id_change_no_idx" ON "item_transactions"("item_id", "change_no");

-- CreateIndex
CREATE INDEX "item_ingests_tenant_id_id_idx" ON "item_ingests"("tenant_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "item_ingests_item_id_dataset_id_key" ON "item_ingests"("item_id", "dataset_id");

-- AddForeignKey
ALTER TABLE "items" ADD CONSTRAINT "items_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item_ingests" ADD CONSTRAINT "item_ingests_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "items"("id") ON DELETE CASCADE ON UPDATE CASCADE;
