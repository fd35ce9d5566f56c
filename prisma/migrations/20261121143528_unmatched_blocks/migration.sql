-- CreateTable
CREATE TABLE "unmatched_blocks" (
    "job_id" UUID NOT NULL,
    "side" SMALLINT NOT NULL,
    "block_no" INTEGER NOT NULL,
    "tenant_id" UUID NOT NULL,
    "first_id" UUID NOT NULL,
    "last_id" UUID NOT NULL,
    "counts" INTEGER[],
    "ids" BYTEA NOT NULL,
    "reasons" BYTEA NOT NULL,

    CONSTRAINT "unmatched_blocks_pkey" PRIMARY KEY ("job_id","side","block_no")
);

-- Ids do not compress.
ALTER TABLE "unmatched_blocks" ALTER COLUMN "ids" SET STORAGE EXTERNAL;

-- The lists of jobs that have ended, 4096 records a block. The old table stays for versions that still use it.
INSERT INTO "unmatched_blocks" ("job_id", "side", "block_no", "tenant_id", "first_id", "last_id", "counts", "ids", "reasons")
SELECT "job_id", "side", ("place" / 4096)::int, "tenant_id",
       (array_agg("record_id" ORDER BY "record_id"))[1], (array_agg("record_id" ORDER BY "record_id" DESC))[1],
       ARRAY[count(*) FILTER (WHERE "rank" = 0), count(*) FILTER (WHERE "rank" = 1), count(*) FILTER (WHERE "rank" = 2),
             count(*) FILTER (WHERE "rank" = 3), count(*) FILTER (WHERE "rank" = 4), count(*) FILTER (WHERE "rank" = 5),
             count(*) FILTER (WHERE "rank" = 6)]::int[],
       string_agg(uuid_send("record_id"), '' ORDER BY "record_id"),
       string_agg(set_byte('\x00'::bytea, 0, "rank"), '' ORDER BY "record_id")
  FROM (SELECT *, row_number() OVER (PARTITION BY "job_id", "side" ORDER BY "record_id") - 1 AS "place",
               array_position(ARRAY['ambiguous', 'possible_only', 'below_threshold', 'no_candidate', 'unblocked', 'filtered', 'failed'], "reason") - 1 AS "rank"
          FROM "job_unmatched") AS "listed"
 GROUP BY "job_id", "side", "tenant_id", "place" / 4096;

-- CreateIndex
CREATE INDEX "unmatched_blocks_tenant_id_first_id_idx" ON "unmatched_blocks"("tenant_id", "first_id");

-- AddForeignKey
ALTER TABLE "unmatched_blocks" ADD CONSTRAINT "unmatched_blocks_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "matching_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
