-- Processes may connect as a user who owns no table. Only an owner may analyse a table: this runs as the owner of the function.
CREATE FUNCTION "analyse_table"("target" regclass, "columns" text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('ANALYZE (SKIP_LOCKED) %s (%s)', "target", (SELECT string_agg(quote_ident(name), ', ') FROM unnest("columns") AS name));
END $$;
REVOKE EXECUTE ON FUNCTION "analyse_table"(regclass, text[]) FROM PUBLIC;
