// Generated from the OpenAPI document by npm run client:generate.

/** JSON Schema of a file that holds a rule set. */
export const ruleSetSchema: unknown = {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Tieout rule set",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "name": {
      "minLength": 1,
      "maxLength": 100000,
      "type": "string"
    },
    "left": {
      "type": "string",
      "minLength": 1,
      "description": "Name of the left dataset"
    },
    "right": {
      "type": "string",
      "minLength": 1,
      "description": "Name of the right dataset"
    },
    "engine": {
      "type": "string",
      "enum": [
        "jsonata",
        "jsonata-batch"
      ],
      "default": "jsonata"
    },
    "jsonataExpr": {
      "maxLength": 65536,
      "description": "Required when engine is jsonata",
      "type": "string"
    },
    "params": {
      "$ref": "#/$defs/RuleSetParams"
    },
    "logicJson": {
      "type": "object",
      "additionalProperties": true,
      "description": "A map of your own, returned unchanged"
    }
  },
  "required": [
    "params"
  ],
  "$defs": {
    "RuleSetParams": {
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "Tmatch": {
          "description": "A score of at least this is a MATCH. Up to 1 scores run from 0 to 1, above it from 0 to 100",
          "type": "number",
          "format": "double"
        },
        "Tpossible": {
          "description": "A score of at least this is POSSIBLE; at most Tmatch",
          "type": "number",
          "format": "double"
        },
        "windowDays": {
          "minimum": 0,
          "description": "Pairs further apart in calendar days are dropped",
          "type": "number",
          "format": "double"
        },
        "amountTolerancePercent": {
          "minimum": 0,
          "description": "In percent of the larger amount: pairs further apart are dropped",
          "type": "number",
          "format": "double"
        },
        "amountTolerance": {
          "minimum": 0,
          "description": "In currency units, up to 10^12; the larger of both tolerances holds",
          "type": "number",
          "format": "double"
        },
        "amountSign": {
          "type": "string",
          "enum": [
            "same",
            "opposite"
          ],
          "description": "opposite: what is positive on the left is negative on the right; default same"
        },
        "timezone": {
          "minLength": 1,
          "maxLength": 100,
          "description": "IANA time zone of the days of timestamps; default UTC",
          "type": "string"
        },
        "filters": {
          "maxItems": 1000,
          "type": "array",
          "items": {
            "maxLength": 65536,
            "description": "JSONata over {left, right}; all must hold",
            "type": "string"
          }
        },
        "matchers": {
          "maxItems": 1000,
          "type": "array",
          "items": {
            "$ref": "#/$defs/Matcher"
          }
        },
        "blocking": {
          "$ref": "#/$defs/Blocking"
        },
        "composition": {
          "$ref": "#/$defs/Composition"
        },
        "assignment": {
          "type": "string",
          "enum": [
            "none",
            "one_to_one"
          ],
          "description": "one_to_one: a record is in at most one MATCH; default none"
        },
        "maxPossiblePerRecord": {
          "description": "POSSIBLE pairs that are kept of each record, the best ones; 1..100, default 20",
          "type": "integer",
          "format": "int64"
        }
      },
      "required": [
        "Tmatch",
        "Tpossible"
      ]
    },
    "Matcher": {
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "id": {
          "minLength": 1,
          "description": "Unique in the rule set; default m1, m2, …",
          "type": "string"
        },
        "name": {
          "minLength": 1,
          "description": "Default: the id",
          "type": "string"
        },
        "expr": {
          "maxLength": 65536,
          "description": "JSONata over {left, right}: true, false, a number 0..1, or null to abstain",
          "type": "string"
        },
        "weight": {
          "minimum": 0,
          "description": "Default 1",
          "type": "number",
          "format": "double"
        },
        "required": {
          "description": "A value of 0, false or nothing makes the pair NO_MATCH; default false",
          "type": "boolean"
        }
      },
      "required": [
        "expr"
      ]
    },
    "Blocking": {
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "enabled": {
          "description": "Default true when another key is set",
          "type": "boolean"
        },
        "amountKey": {
          "minLength": 1,
          "description": "Where the amount is, on both sides",
          "type": "string"
        },
        "amountKeyLeft": {
          "minLength": 1,
          "description": "Wins over amountKey on the left side",
          "type": "string"
        },
        "amountKeyRight": {
          "minLength": 1,
          "description": "Wins over amountKey on the right side",
          "type": "string"
        },
        "dateKey": {
          "minLength": 1,
          "description": "Where the date is, on both sides",
          "type": "string"
        },
        "dateKeyLeft": {
          "minLength": 1,
          "description": "Wins over dateKey on the left side",
          "type": "string"
        },
        "dateKeyRight": {
          "minLength": 1,
          "description": "Wins over dateKey on the right side",
          "type": "string"
        },
        "amountTolerancePercent": {
          "minimum": 0,
          "description": "Default: that of params",
          "type": "number",
          "format": "double"
        },
        "amountTolerance": {
          "minimum": 0,
          "description": "In currency units, up to 10^12; the larger of both tolerances holds",
          "type": "number",
          "format": "double"
        },
        "amountBucketSize": {
          "exclusiveMinimum": 0,
          "description": "In currency units; default 1",
          "type": "number",
          "format": "double"
        },
        "amountBucketWindow": {
          "minimum": 0,
          "description": "Neighbouring buckets on each side; default 1",
          "type": "number",
          "format": "double"
        },
        "dateToleranceDays": {
          "minimum": 0,
          "description": "Default windowDays",
          "type": "number",
          "format": "double"
        },
        "dateFromDays": {
          "description": "Minimum of right − left in days; default −dateToleranceDays; may be negative",
          "type": "number",
          "format": "double"
        },
        "dateToDays": {
          "description": "Maximum of right − left in days; default dateToleranceDays",
          "type": "number",
          "format": "double"
        },
        "keys": {
          "minItems": 1,
          "maxItems": 8,
          "description": "All of them agree",
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockingKey"
          }
        },
        "text": {
          "$ref": "#/$defs/BlockingText"
        },
        "rules": {
          "minItems": 1,
          "maxItems": 8,
          "description": "Any of them lets a pair through. Beside rules only the keys of amount and date are allowed: rules read them unless they name their own",
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockingRule"
          }
        }
      }
    },
    "BlockingKey": {
      "description": "Values that are equal; of a list, any",
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "left": {
          "maxLength": 65536,
          "description": "JSONata over a left record: its fields, or left",
          "type": "string"
        },
        "right": {
          "maxLength": 65536,
          "description": "JSONata over a right record: its fields, or right",
          "type": "string"
        },
        "expr": {
          "maxLength": 65536,
          "description": "In place of left and right: JSONata over the records of both sides",
          "type": "string"
        }
      }
    },
    "BlockingText": {
      "description": "The most similar texts of each side",
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "left": {
          "maxLength": 65536,
          "description": "JSONata over a left record that gives a text",
          "type": "string"
        },
        "right": {
          "maxLength": 65536,
          "description": "JSONata over a right record that gives a text",
          "type": "string"
        },
        "top": {
          "description": "Records of the other side that a record finds; 1..50, default 15",
          "type": "integer",
          "format": "int64"
        },
        "maxDocumentShare": {
          "description": "Words of a larger share of all records, and of more than 50, are not compared; default 0.1",
          "type": "number",
          "format": "double"
        }
      },
      "required": [
        "left",
        "right"
      ]
    },
    "BlockingRule": {
      "description": "All its conditions hold for a pair",
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "name": {
          "minLength": 1,
          "maxLength": 100,
          "description": "Default rule 1, rule 2, …",
          "type": "string"
        },
        "amountKey": {
          "minLength": 1,
          "description": "Where the amount is, on both sides",
          "type": "string"
        },
        "amountKeyLeft": {
          "minLength": 1,
          "description": "Wins over amountKey on the left side",
          "type": "string"
        },
        "amountKeyRight": {
          "minLength": 1,
          "description": "Wins over amountKey on the right side",
          "type": "string"
        },
        "dateKey": {
          "minLength": 1,
          "description": "Where the date is, on both sides",
          "type": "string"
        },
        "dateKeyLeft": {
          "minLength": 1,
          "description": "Wins over dateKey on the left side",
          "type": "string"
        },
        "dateKeyRight": {
          "minLength": 1,
          "description": "Wins over dateKey on the right side",
          "type": "string"
        },
        "amountTolerancePercent": {
          "minimum": 0,
          "description": "Default: that of params",
          "type": "number",
          "format": "double"
        },
        "amountTolerance": {
          "minimum": 0,
          "description": "In currency units, up to 10^12; the larger of both tolerances holds",
          "type": "number",
          "format": "double"
        },
        "amountBucketSize": {
          "exclusiveMinimum": 0,
          "description": "In currency units; default 1",
          "type": "number",
          "format": "double"
        },
        "amountBucketWindow": {
          "minimum": 0,
          "description": "Neighbouring buckets on each side; default 1",
          "type": "number",
          "format": "double"
        },
        "dateToleranceDays": {
          "minimum": 0,
          "description": "Default windowDays",
          "type": "number",
          "format": "double"
        },
        "dateFromDays": {
          "description": "Minimum of right − left in days; default −dateToleranceDays; may be negative",
          "type": "number",
          "format": "double"
        },
        "dateToDays": {
          "description": "Maximum of right − left in days; default dateToleranceDays",
          "type": "number",
          "format": "double"
        },
        "keys": {
          "minItems": 1,
          "maxItems": 8,
          "description": "All of them agree",
          "type": "array",
          "items": {
            "$ref": "#/$defs/BlockingKey"
          }
        },
        "text": {
          "$ref": "#/$defs/BlockingText"
        }
      }
    },
    "Composition": {
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "enabled": {
          "description": "Default false",
          "type": "boolean"
        },
        "direction": {
          "description": "left_to_many_right (default), right_to_many_left or both",
          "type": "string"
        },
        "maxGroupSize": {
          "description": "Maximum number of members; 2..60, default 12",
          "type": "number",
          "format": "double"
        },
        "amountTolerancePercent": {
          "minimum": 0,
          "description": "In percent of the target; 0..100, default 0",
          "type": "number",
          "format": "double"
        },
        "amountTolerance": {
          "minimum": 0,
          "description": "In currency units, up to 10^12; the larger of both tolerances holds; default 0",
          "type": "number",
          "format": "double"
        },
        "amountField": {
          "minLength": 1,
          "description": "Default: the amount keys of blocking, else amount",
          "type": "string"
        },
        "groupByField": {
          "minLength": 1,
          "description": "Members of a group share this value",
          "type": "string"
        },
        "matchKeys": {
          "minItems": 1,
          "maxItems": 8,
          "description": "Values that are equal for a target and each of its members; they narrow the search",
          "type": "array",
          "items": {
            "$ref": "#/$defs/CompositionMatchKey"
          }
        },
        "evidence": {
          "description": "Matchers by id, evaluated for target and member: among equal sets the one with most evidence wins",
          "$ref": "#/$defs/CompositionEvidence"
        },
        "dateStrategy": {
          "description": "Dates of members relative to the target: none (default), window, after, before or monthly",
          "type": "string"
        },
        "dateFieldLeft": {
          "minLength": 1,
          "description": "Default: the date key of blocking, else date",
          "type": "string"
        },
        "dateFieldRight": {
          "minLength": 1,
          "description": "Default: the date key of blocking, else date",
          "type": "string"
        },
        "dateToleranceDays": {
          "minimum": 0,
          "description": "Default: windowDays, else 0",
          "type": "number",
          "format": "double"
        },
        "allowNegativeAmounts": {
          "description": "Members may have the other sign than the target; default false",
          "type": "boolean"
        },
        "preferCompleteGroup": {
          "description": "All records of one groupByField value are preferred to a choice among them; default true",
          "type": "boolean"
        },
        "skipAlreadyMatched": {
          "description": "Records with a MATCH pair of the rule set are left out; default true",
          "type": "boolean"
        },
        "partial": {
          "$ref": "#/$defs/CompositionPartial"
        },
        "installmentDiscovery": {
          "$ref": "#/$defs/CompositionInstallmentDiscovery"
        }
      }
    },
    "CompositionMatchKey": {
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "left": {
          "minLength": 1,
          "description": "Path into left records",
          "type": "string"
        },
        "right": {
          "minLength": 1,
          "description": "Path into right records",
          "type": "string"
        }
      },
      "required": [
        "left",
        "right"
      ]
    },
    "CompositionEvidence": {
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "matchers": {
          "minItems": 1,
          "maxItems": 1000,
          "type": "array",
          "items": {
            "minLength": 1,
            "type": "string"
          }
        },
        "required": {
          "description": "Only records with evidence are members; default false",
          "type": "boolean"
        },
        "weight": {
          "description": "Share of the mean evidence in the score; 0..1, default 0",
          "type": "number",
          "format": "double"
        }
      },
      "required": [
        "matchers"
      ]
    },
    "CompositionPartial": {
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "enabled": {
          "description": "Sums below the target count, as POSSIBLE; default false",
          "type": "boolean"
        },
        "minMembers": {
          "description": "1..maxGroupSize, default 2",
          "type": "number",
          "format": "double"
        },
        "minCompletionRatio": {
          "description": "Minimum of sum / target; 0..1, default 0.5",
          "type": "number",
          "format": "double"
        },
        "uniformityRatio": {
          "description": "Minimum of smallest / largest member; 0..1, default 0: any",
          "type": "number",
          "format": "double"
        }
      }
    },
    "CompositionInstallmentDiscovery": {
      "additionalProperties": false,
      "type": "object",
      "properties": {
        "enabled": {
          "description": "Looks for nearly equal members; default false",
          "type": "boolean"
        },
        "maxDivisor": {
          "description": "Maximum number of installments; 2..60, default 24",
          "type": "number",
          "format": "double"
        },
        "divisorTolerance": {
          "description": "How far target / member may be from a whole number; 0..0.5, default 0.05",
          "type": "number",
          "format": "double"
        },
        "totalCountField": {
          "minLength": 1,
          "description": "Holds the number of installments",
          "type": "string"
        },
        "unitValueField": {
          "minLength": 1,
          "description": "Holds the value of one installment",
          "type": "string"
        }
      }
    }
  }
};
