-- A timestamp at the end of the year 9999, or the beginning of 0001, may count on a day of a year before or after, which
-- no text of ten characters stands for: it is no date, as for rule sets.
CREATE OR REPLACE FUNCTION "day_of"("value" jsonb, "zone" text) RETURNS date LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  written text := "value" #>> '{}';
  part text[];
  moment timestamp;
  own date;
BEGIN
  IF jsonb_typeof("value") IS DISTINCT FROM 'string' OR length(written) > 60 THEN RETURN NULL; END IF;
  part := regexp_match(written,
    '^(\d{4})-(\d\d)-(\d\d)(?:[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:([Zz])|([+-])([01]\d|2[0-3]):([0-5]\d))?)?$');
  IF part IS NULL OR part[1] = '0000' OR part[2] NOT BETWEEN '01' AND '12' OR part[3] NOT BETWEEN '01' AND '31'
     OR part[3]::int > extract(day FROM make_date(part[1]::int, part[2]::int, 1) + interval '1 month' - interval '1 day') THEN
    RETURN NULL;
  END IF;
  moment := make_date(part[1]::int, part[2]::int, part[3]::int);
  IF part[7] IS NULL AND part[8] IS NULL THEN RETURN moment::date; END IF;
  moment := moment + make_interval(hours => part[4]::int, mins => part[5]::int);
  IF part[8] IS NOT NULL THEN
    moment := moment - (part[8] || '1')::int * make_interval(hours => part[9]::int, mins => part[10]::int);
  END IF;
  own := (moment AT TIME ZONE 'UTC' AT TIME ZONE "zone")::date;
  RETURN CASE WHEN own BETWEEN '0001-01-01' AND '9999-12-31' THEN own END;
END $$;

UPDATE "reconciliation_items" SET "day" = NULL
 WHERE "holds" = 0 AND ("day" < '0001-01-01' OR "day" > '9999-12-31');
