-- CreateTable
CREATE TABLE "cluster_blocks" (
    "entry_id" UUID NOT NULL,
    "block_no" INTEGER NOT NULL,
    "tenant_id" UUID NOT NULL,
    "clusters" INTEGER NOT NULL,
    "ends" BYTEA NOT NULL,
    "ids" BYTEA NOT NULL,
    "links" BYTEA NOT NULL,

    CONSTRAINT "cluster_blocks_pkey" PRIMARY KEY ("entry_id","block_no")
);

-- AddForeignKey
ALTER TABLE "cluster_blocks" ADD CONSTRAINT "cluster_blocks_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "job_rule_sets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Ids do not compress.
ALTER TABLE "cluster_blocks" ALTER COLUMN "ids" SET STORAGE EXTERNAL;

SELECT restrict_to_tenant('cluster_blocks');
