-- AlterTable
ALTER TABLE "match_groups" ADD COLUMN     "confirmed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "reconciliation_items" ADD COLUMN     "differs" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "now_amount" DECIMAL(24,4),
ADD COLUMN     "now_currency" TEXT,
ADD COLUMN     "now_day" DATE,
ADD COLUMN     "now_revision" INTEGER,
ADD COLUMN     "valid_from" TIMESTAMPTZ(6) NOT NULL DEFAULT now();

-- The rows of today have the time of the migration; a default that differs from row to row would write the table again.
ALTER TABLE "reconciliation_items" ALTER COLUMN "valid_from" SET DEFAULT clock_timestamp();

-- AlterTable
ALTER TABLE "reconciliations" ADD COLUMN     "closed_to" DATE,
ADD COLUMN     "locked_to" DATE;

-- CreateTable
CREATE TABLE "reconciliation_item_versions" (
    "tenant_id" UUID NOT NULL,
    "reconciliation_id" UUID NOT NULL,
    "record_id" UUID NOT NULL,
    "valid_from" TIMESTAMPTZ(6) NOT NULL,
    "valid_to" TIMESTAMPTZ(6) NOT NULL,
    "side" SMALLINT NOT NULL,
    "amount" DECIMAL(24,4),
    "day" DATE,
    "currency" TEXT,
    "ready" BOOLEAN NOT NULL,
    "excluded" BOOLEAN NOT NULL,
    "differs" BOOLEAN NOT NULL,
    "now_amount" DECIMAL(24,4),
    "now_day" DATE,
    "now_currency" TEXT,

    CONSTRAINT "reconciliation_item_versions_pkey" PRIMARY KEY ("tenant_id","reconciliation_id","record_id","valid_to")
);

-- CreateTable
CREATE TABLE "period_certificates" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "reconciliation_id" UUID NOT NULL,
    "period" TEXT NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_by" JSONB NOT NULL,
    "note" TEXT,
    "summary" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "locked_at" TIMESTAMPTZ(3),
    "locked_by" JSONB,
    "voided_at" TIMESTAMPTZ(3),
    "voided_by" JSONB,
    "void_reason" TEXT,

    CONSTRAINT "period_certificates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "period_open_items" (
    "certificate_id" UUID NOT NULL,
    "record_id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "side" SMALLINT NOT NULL,
    "dataset_id" UUID NOT NULL,
    "external_id" TEXT,
    "revision" INTEGER NOT NULL,
    "amount" DECIMAL(24,4),
    "remaining" DECIMAL(24,4),
    "day" DATE,
    "currency" TEXT,
    "excluded" BOOLEAN NOT NULL,
    "late" BOOLEAN NOT NULL,

    CONSTRAINT "period_open_items_pkey" PRIMARY KEY ("certificate_id","record_id")
);

-- CreateTable
CREATE TABLE "balances" (
    "id" UUID NOT NULL,
    "tenant_id" UUID NOT NULL,
    "reconciliation_id" UUID,
    "side" SMALLINT,
    "dataset_id" UUID,
    "file_id" UUID,
    "account" TEXT,
    "day" DATE NOT NULL,
    "currency" TEXT,
    "amount" DECIMAL(24,4) NOT NULL,
    "stated_by" JSONB NOT NULL,
    "valid_from" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "valid_to" TIMESTAMPTZ(6),

    CONSTRAINT "balances_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "reconciliation_item_versions_reconciliation_id_valid_to_idx" ON "reconciliation_item_versions"("reconciliation_id", "valid_to");

-- CreateIndex
CREATE INDEX "period_certificates_tenant_id_id_idx" ON "period_certificates"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "period_certificates_reconciliation_id_period_id_idx" ON "period_certificates"("reconciliation_id", "period", "id");

-- CreateIndex
CREATE INDEX "balances_tenant_id_id_idx" ON "balances"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "balances_reconciliation_id_day_id_idx" ON "balances"("reconciliation_id", "day", "id");

-- CreateIndex
CREATE INDEX "balances_dataset_id_day_id_idx" ON "balances"("dataset_id", "day", "id");

-- CreateIndex
CREATE INDEX "balances_file_id_idx" ON "balances"("file_id");

-- CreateIndex
CREATE INDEX "match_groups_released_idx" ON "match_groups"("reconciliation_id", "released_at") WHERE "status" = 'released';

-- AddForeignKey
ALTER TABLE "period_certificates" ADD CONSTRAINT "period_certificates_reconciliation_id_fkey" FOREIGN KEY ("reconciliation_id") REFERENCES "reconciliations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "balances" ADD CONSTRAINT "balances_reconciliation_id_fkey" FOREIGN KEY ("reconciliation_id") REFERENCES "reconciliations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "balances" ADD CONSTRAINT "balances_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One certificate of a month stands at a time, and one balance of a side for a day. Few items differ.
CREATE UNIQUE INDEX "period_certificates_standing_idx" ON "period_certificates"("reconciliation_id", "period") WHERE "voided_at" IS NULL;
CREATE INDEX "reconciliation_items_differing_idx" ON "reconciliation_items"("reconciliation_id") WHERE "differs";
CREATE UNIQUE INDEX "balances_standing_idx" ON "balances"("reconciliation_id", "side", "day", (coalesce("currency", '')))
  WHERE "valid_to" IS NULL AND "reconciliation_id" IS NOT NULL;
ALTER TABLE "balances" ADD CONSTRAINT "balances_owner_check" CHECK (num_nonnulls("reconciliation_id", "dataset_id") = 1);

SELECT restrict_to_tenant('reconciliation_item_versions');
SELECT restrict_to_tenant('period_certificates');
SELECT restrict_to_tenant('period_open_items');
SELECT restrict_to_tenant('balances');
REVOKE UPDATE ON "reconciliation_item_versions" FROM tieout_tenant;
REVOKE UPDATE, DELETE ON "period_open_items" FROM tieout_tenant;
REVOKE DELETE ON "period_certificates", "balances" FROM tieout_tenant;

-- Keeps what an item was. New items, and what groups hold, write nothing: groups know when they held.
CREATE FUNCTION "keep_item_version"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended timestamptz := greatest(clock_timestamp(), OLD.valid_from);
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM tenants t WHERE t.id = OLD.tenant_id AND t.status = 'deleting') THEN RETURN OLD; END IF;
  IF ended > OLD.valid_from THEN
    INSERT INTO reconciliation_item_versions
           (tenant_id, reconciliation_id, record_id, valid_from, valid_to, side, amount, day, currency, ready, excluded,
            differs, now_amount, now_day, now_currency)
    VALUES (OLD.tenant_id, OLD.reconciliation_id, OLD.record_id, OLD.valid_from, ended, OLD.side, OLD.amount, OLD.day, OLD.currency,
            OLD.ready, OLD.excluded IS NOT NULL, OLD.differs, OLD.now_amount, OLD.now_day, OLD.now_currency);
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  NEW.valid_from := ended;
  RETURN NEW;
END $$;
CREATE TRIGGER "reconciliation_items_version_changed" BEFORE UPDATE ON "reconciliation_items" FOR EACH ROW
  WHEN ((OLD.amount, OLD.day, OLD.currency, OLD.ready, OLD.excluded IS NULL, OLD.differs, OLD.now_amount, OLD.now_day, OLD.now_currency)
        IS DISTINCT FROM
        (NEW.amount, NEW.day, NEW.currency, NEW.ready, NEW.excluded IS NULL, NEW.differs, NEW.now_amount, NEW.now_day, NEW.now_currency))
  EXECUTE FUNCTION "keep_item_version"();
CREATE TRIGGER "reconciliation_items_version_removed" BEFORE DELETE ON "reconciliation_items" FOR EACH ROW EXECUTE FUNCTION "keep_item_version"();
CREATE TRIGGER "reconciliation_item_versions_kept" BEFORE UPDATE ON "reconciliation_item_versions" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- A certificate is locked once and voided once, and a locked one stands for ever.
CREATE FUNCTION "guard_certificate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.voided_at IS NOT NULL OR (OLD.locked_at IS NOT NULL AND (OLD.locked_at, NEW.voided_at) IS DISTINCT FROM (NEW.locked_at, NULL))
     OR (OLD.id, OLD.tenant_id, OLD.reconciliation_id, OLD.period, OLD.closed_at, OLD.closed_by, OLD.note, OLD.summary, OLD.digest)
        IS DISTINCT FROM
        (NEW.id, NEW.tenant_id, NEW.reconciliation_id, NEW.period, NEW.closed_at, NEW.closed_by, NEW.note, NEW.summary, NEW.digest) THEN
    RAISE EXCEPTION 'a certificate does not change' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "period_certificates_guarded" BEFORE UPDATE ON "period_certificates" FOR EACH ROW EXECUTE FUNCTION "guard_certificate"();
CREATE TRIGGER "period_certificates_kept" BEFORE DELETE ON "period_certificates" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "period_open_items_kept" BEFORE UPDATE OR DELETE ON "period_open_items" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- A balance only ends.
CREATE FUNCTION "guard_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.valid_to IS NOT NULL OR (OLD.id, OLD.reconciliation_id, OLD.side, OLD.dataset_id, OLD.file_id, OLD.account, OLD.day, OLD.currency, OLD.amount, OLD.valid_from)
     IS DISTINCT FROM (NEW.id, NEW.reconciliation_id, NEW.side, NEW.dataset_id, NEW.file_id, NEW.account, NEW.day, NEW.currency, NEW.amount, NEW.valid_from) THEN
    RAISE EXCEPTION 'a balance does not change' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "balances_guarded" BEFORE UPDATE ON "balances" FOR EACH ROW EXECUTE FUNCTION "guard_balance"();

-- The closing balances that a bank statement states; the last one of an account and day, where several pages state one.
CREATE FUNCTION "balances_of_file"("detected" jsonb, OUT "account" text, OUT "day" date, OUT "currency" text, OUT "amount" numeric)
RETURNS SETOF record LANGUAGE sql STABLE AS $$
  SELECT DISTINCT ON (1, 2, 3) s.v ->> 'account_id', day_of(b.v -> 'date', 'UTC'),
         left(coalesce(b.v ->> 'currency', s.v ->> 'currency'), 40), amount_of(b.v -> 'amount')
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof("detected" -> 'statements') = 'array' THEN "detected" -> 'statements' ELSE '[]' END)
           WITH ORDINALITY s (v, n),
         jsonb_array_elements(s.v -> 'balances') WITH ORDINALITY b (v, n)
   WHERE "detected" ->> 'format' IN ('camt.053', 'mt940', 'ofx') AND b.v ->> 'type' IN ('closing', 'ledger')
     AND day_of(b.v -> 'date', 'UTC') IS NOT NULL AND amount_of(b.v -> 'amount') IS NOT NULL
   ORDER BY 1, 2, 3, s.n DESC, b.n DESC
$$;
INSERT INTO "balances" (id, tenant_id, dataset_id, file_id, account, day, currency, amount, stated_by, valid_from)
SELECT gen_random_uuid(), f.tenant_id, f.dataset_id, f.id, b.account, b.day, b.currency, b.amount,
       '{"type": "job", "id": null, "label": null}', coalesce(f.processed_at, now())
  FROM "data_source_files" f JOIN "datasets" d ON d.id = f.dataset_id CROSS JOIN LATERAL balances_of_file(f.detected) b
 WHERE f.status = 'ready' AND f.duplicate_of IS NULL AND f.replaced_by IS NULL;
