-- Row-level security keeps conditions on words away from their index, since they might tell of rows of others. This searches the index as
-- the owner of the table, and returns only open items of the tenant that asks.
CREATE FUNCTION "items_with_words"("of" uuid, "words" tsquery, "max" integer) RETURNS SETOF uuid LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT AS $$
  SELECT record_id FROM reconciliation_items
   WHERE search @@ "words" AND open AND reconciliation_id = "of"
     AND tenant_id = nullif(current_setting('tieout.tenant_id', true), '')::uuid
   LIMIT "max"
$$;
REVOKE EXECUTE ON FUNCTION "items_with_words"(uuid, tsquery, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION "items_with_words"(uuid, tsquery, integer) TO tieout_tenant;
