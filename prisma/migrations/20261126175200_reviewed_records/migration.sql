-- AlterTable
ALTER TABLE "job_rule_sets" ADD COLUMN     "reads" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "reviewed_records" (
    "result_id" UUID NOT NULL,
    "record_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "rule_set_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "side" SMALLINT NOT NULL,
    "revision" INTEGER NOT NULL,
    "keys" TEXT[],
    "reads_all" BOOLEAN NOT NULL,
    "content" JSONB,
    "reported" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "reviewed_records_pkey" PRIMARY KEY ("result_id","record_id")
);

-- CreateTable
CREATE TABLE "changed_records" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "record_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,

    CONSTRAINT "changed_records_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "reviewed_records_record_id_idx" ON "reviewed_records"("record_id");

-- CreateIndex
CREATE INDEX "reviewed_records_tenant_id_rule_set_id_idx" ON "reviewed_records"("tenant_id", "rule_set_id");

SELECT restrict_to_tenant('reviewed_records');
SELECT restrict_to_tenant('changed_records');

-- Notes reviewed records that have been sent again. The notes are rows of their own, so that writers of records wait for nobody.
CREATE FUNCTION "note_changed_records"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changed_records (record_id, tenant_id)
  SELECT c.id, c.tenant_id FROM changed c
   WHERE c.revision > 1 AND c.status IN ('ready', 'failed')
     AND EXISTS (SELECT 1 FROM (SELECT 1 FROM reviewed_records r WHERE r.record_id = c.id OFFSET 0) reviewed);
  RETURN NULL;
END $$;
CREATE TRIGGER "records_changed" AFTER UPDATE ON "records" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_records"();
