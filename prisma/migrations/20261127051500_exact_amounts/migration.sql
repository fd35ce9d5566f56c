-- What groups hold is exact: an amount that rule sets round is none. A number whose last digits are the noise of a double is what it stands for.
CREATE FUNCTION "exact_amount_of"("value" jsonb) RETURNS numeric LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  rounded numeric := amount_of("value");
  exact numeric;
BEGIN
  IF rounded IS NULL THEN RETURN NULL; END IF;
  exact := btrim("value" #>> '{}', E' \t\n\r\f\v\u00a0\ufeff')::numeric;
  RETURN CASE WHEN exact = rounded OR jsonb_typeof("value") = 'number' AND abs(exact - rounded) <= abs(exact) * 1e-14 THEN rounded END;
END $$;

CREATE OR REPLACE FUNCTION "item_values"("data" jsonb, "fields" jsonb, "external_id" text, "side" smallint, "of" reconciliations,
                                         OUT "amount" numeric, OUT "day" date, OUT "currency" text, OUT "search" tsvector)
LANGUAGE sql STABLE AS $$
  SELECT exact_amount_of(value_at("data", "fields", CASE "side" WHEN 0 THEN "of".amount_key_left ELSE "of".amount_key_right END)),
         day_of(value_at("data", "fields", CASE "side" WHEN 0 THEN "of".date_key_left ELSE "of".date_key_right END), "of".timezone),
         left(value_at("data", "fields", CASE "side" WHEN 0 THEN "of".currency_key_left ELSE "of".currency_key_right END) #>> '{}', 40),
         words_of("data", "fields", "external_id")
$$;
