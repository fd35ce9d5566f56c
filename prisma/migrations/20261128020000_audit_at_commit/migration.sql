-- Entries of open transactions: each is appended to its chain when its transaction commits, and removed here. Nothing is left to lose in a crash.
-- CreateTable
CREATE UNLOGGED TABLE "audit_waiting" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" UUID NOT NULL,
    "actor" JSONB NOT NULL,
    "action" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "reason" TEXT,
    "request_id" TEXT,
    "written" TEXT[],
    "is_flushed_later" BOOLEAN NOT NULL,

    CONSTRAINT "audit_waiting_pkey" PRIMARY KEY ("id")
);

SELECT restrict_to_tenant('audit_waiting');
GRANT USAGE ON SEQUENCE "audit_waiting_id_seq" TO tieout_tenant;

-- Runs inside the commit, in the order of the entries: the end of the chain is held for no way to a client, nor for that to the disk where the
-- client asks the log to be flushed once the commit has released it.
CREATE FUNCTION "append_waiting_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.is_flushed_later THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
  PERFORM append_audit(NEW.tenant_id, NEW.actor, NEW.action, NEW.object_type, NEW.object_id, NEW.before, NEW.after, NEW.reason, NEW.request_id, NEW.written);
  DELETE FROM audit_waiting WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "audit_waiting_append" AFTER INSERT ON "audit_waiting" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "append_waiting_audit"();
