-- A balance is never both given for a side and stated by a file. One of neither counts nowhere.
ALTER TABLE "balances" DROP CONSTRAINT "balances_owner_check";
ALTER TABLE "balances" ADD CONSTRAINT "balances_owner_check" CHECK (num_nonnulls("reconciliation_id", "dataset_id") <= 1);

-- Row-level security says to which tenant a certificate belongs.
CREATE OR REPLACE FUNCTION "guard_certificate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.voided_at IS NOT NULL OR (OLD.locked_at IS NOT NULL AND (OLD.locked_at, NEW.voided_at) IS DISTINCT FROM (NEW.locked_at, NULL))
     OR (OLD.id, OLD.reconciliation_id, OLD.period, OLD.closed_at, OLD.closed_by, OLD.note, OLD.summary, OLD.digest)
        IS DISTINCT FROM
        (NEW.id, NEW.reconciliation_id, NEW.period, NEW.closed_at, NEW.closed_by, NEW.note, NEW.summary, NEW.digest) THEN
    RAISE EXCEPTION 'a certificate does not change' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
