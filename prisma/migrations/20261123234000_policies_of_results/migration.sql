-- Matches and composites are looked up by the records that they name. Compared for equality, the tenant of the policy would be a condition
-- that their primary key serves, and of a tenant that statistics do not know yet the planner expects a single row: it would walk all
-- results of the tenant for each record that is looked up. No index serves this form, and half of the rows are expected to fulfil it.
DO $$
DECLARE "target" regclass;
BEGIN
  FOREACH "target" IN ARRAY ARRAY['matches', 'composite_matches']::regclass[] LOOP
    EXECUTE format(
      'ALTER POLICY "tenant" ON %s USING (CASE WHEN tenant_id = (SELECT nullif(current_setting(''tieout.tenant_id'', true), '''')::uuid) THEN true ELSE false END)',
      "target");
  END LOOP;
END $$;
