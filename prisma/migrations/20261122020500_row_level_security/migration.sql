-- Row-level security behind every table of tenants: what runs for a tenant runs as the role tieout_tenant, which sees the rows of the
-- tenant that the setting tieout.tenant_id names. The owner of the tables is not subject to it. See docs/adr/0026.

-- Roles belong to the server, not to the database: another database's migration may make this one at the same time.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tieout_tenant') THEN
    BEGIN
      CREATE ROLE tieout_tenant NOLOGIN;
    EXCEPTION
      WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  BEGIN
    SET LOCAL ROLE tieout_tenant;
    SET LOCAL ROLE TO DEFAULT;
  EXCEPTION WHEN insufficient_privilege THEN
    EXECUTE format('GRANT tieout_tenant TO %I', current_user);
  END;
EXCEPTION WHEN insufficient_privilege OR invalid_grant_operation THEN
  RAISE EXCEPTION 'the user "%" may not make the role tieout_tenant, or itself a member of it (%). Let an administrator of the server run: CREATE ROLE tieout_tenant NOLOGIN; GRANT tieout_tenant TO "%"; then apply the migrations again.', current_user, SQLERRM, current_user;
END $$;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'tieout_tenant' AND (rolsuper OR rolbypassrls)) THEN
    RAISE EXCEPTION 'the role tieout_tenant is not bound by policies. Let an administrator of the server run: ALTER ROLE tieout_tenant NOSUPERUSER NOBYPASSRLS; then apply the migrations again.';
  END IF;
END $$;

-- What a migration calls for each new table with rows of tenants.
CREATE FUNCTION "restrict_to_tenant"("target" regclass, "tenant_column" name DEFAULT 'tenant_id') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', "target");
  -- A row that is read is compared with what the query says, where it names its tenant: nothing is left to be done for each. For rows that
  -- are written a sub-select runs once a statement, where the bare expression would run once a row.
  EXECUTE format(
    'CREATE POLICY "tenant" ON %s TO tieout_tenant USING (%I = nullif(current_setting(''tieout.tenant_id'', true), '''')::uuid)
       WITH CHECK (%2$I = (SELECT nullif(current_setting(''tieout.tenant_id'', true), '''')::uuid))',
    "target", "tenant_column");
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO tieout_tenant', "target");
END $$;

SELECT restrict_to_tenant('tenants', 'id');
SELECT restrict_to_tenant(format('%I.%I', table_schema, table_name)::regclass)
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
 WHERE table_schema = current_schema() AND column_name = 'tenant_id' AND table_type = 'BASE TABLE'
 ORDER BY table_name;
DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO tieout_tenant', current_schema()); END $$;

-- Stages have one table a job; those that are made from now on bring their policy.
GRANT USAGE ON SCHEMA "staging" TO tieout_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "staging" TO tieout_tenant;
ALTER DEFAULT PRIVILEGES IN SCHEMA "staging" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO tieout_tenant;
