-- CreateTable
CREATE TABLE "tenant_moves" (
    "id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "database" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenant_moves_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tenant_directory" (
    "id" UUID NOT NULL,
    "database" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenant_directory_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "tenant_directory_changed_at_idx" ON "tenant_directory"("changed_at");

-- Ends the transaction of a tenant that this database does not serve. The code is that of isTenantMoving.
CREATE FUNCTION "refuse_moving_tenant"("tenant" text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the tenant % moves to another database', "tenant" USING ERRCODE = 'TMV01';
END $$;
