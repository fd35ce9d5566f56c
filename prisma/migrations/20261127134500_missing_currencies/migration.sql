-- Reads a currency as passes compare it: what expressions take for false is missing.
CREATE FUNCTION "currency_of"("value" jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN "value" IS NULL OR "value" IN ('null', '""', 'false', '0', '{}') THEN NULL
              WHEN jsonb_typeof("value") = 'array' AND NOT EXISTS (
                SELECT FROM jsonb_array_elements("value") e (one) WHERE e.one NOT IN ('null', '""', 'false', '0', '{}')) THEN NULL
              ELSE left("value" #>> '{}', 40) END
$$;

CREATE OR REPLACE FUNCTION "item_values"("data" jsonb, "fields" jsonb, "external_id" text, "side" smallint, "of" reconciliations,
                                         OUT "amount" numeric, OUT "day" date, OUT "currency" text, OUT "search" tsvector)
LANGUAGE sql STABLE AS $$
  SELECT exact_amount_of(value_at("data", "fields", CASE "side" WHEN 0 THEN "of".amount_key_left ELSE "of".amount_key_right END)),
         day_of(value_at("data", "fields", CASE "side" WHEN 0 THEN "of".date_key_left ELSE "of".date_key_right END), "of".timezone),
         currency_of(value_at("data", "fields", CASE "side" WHEN 0 THEN "of".currency_key_left ELSE "of".currency_key_right END)),
         words_of("data", "fields", "external_id")
$$;

-- What groups hold stays as it was when it was tied.
UPDATE "reconciliation_items" SET "currency" = NULL WHERE "holds" = 0 AND "currency" IN ('', '0', 'false', '[]', '{}');
