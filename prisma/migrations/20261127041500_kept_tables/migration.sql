-- Triggers for each row do not see a table that is emptied as a whole, which its owner may do.
CREATE FUNCTION "refuse_truncate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only added to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "audit_entries_not_emptied" BEFORE TRUNCATE ON "audit_entries" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_truncate"();
CREATE TRIGGER "match_groups_not_emptied" BEFORE TRUNCATE ON "match_groups" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_truncate"();
CREATE TRIGGER "match_group_members_not_emptied" BEFORE TRUNCATE ON "match_group_members" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_truncate"();
CREATE TRIGGER "match_group_adjustments_not_emptied" BEFORE TRUNCATE ON "match_group_adjustments" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_truncate"();
CREATE TRIGGER "period_certificates_not_emptied" BEFORE TRUNCATE ON "period_certificates" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_truncate"();
CREATE TRIGGER "period_open_items_not_emptied" BEFORE TRUNCATE ON "period_open_items" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_truncate"();
