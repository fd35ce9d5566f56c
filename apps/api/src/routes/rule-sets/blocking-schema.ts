import { Type } from '@sinclair/typebox';
import { closed } from '../../http';

const maxExpressionLength = 65_536;

export const expression = (description: string) => Type.String({ maxLength: maxExpressionLength, description });
export const path = (description: string) => Type.String({ minLength: 1, description });
export const optional = Type.Optional;

const key = closed(
  {
    left: optional(expression('JSONata over a left record: its fields, or left')),
    right: optional(expression('JSONata over a right record: its fields, or right')),
    expr: optional(expression('In place of left and right: JSONata over the records of both sides')),
  },
  { $id: 'BlockingKey', description: 'Values that are equal; of a list, any' },
);

const text = closed(
  {
    left: expression('JSONata over a left record that gives a text'),
    right: expression('JSONata over a right record that gives a text'),
    top: optional(Type.Integer({ description: 'Records of the other side that a record finds; 1..50, default 15' })),
    maxDocumentShare: optional(
      Type.Number({
        description: 'Words of a larger share of all records, and of more than 50, are not compared; default 0.1',
      }),
    ),
  },
  { $id: 'BlockingText', description: 'The most similar texts of each side' },
);

const conditions = {
  amountKey: optional(path('Where the amount is, on both sides')),
  amountKeyLeft: optional(path('Wins over amountKey on the left side')),
  amountKeyRight: optional(path('Wins over amountKey on the right side')),
  dateKey: optional(path('Where the date is, on both sides')),
  dateKeyLeft: optional(path('Wins over dateKey on the left side')),
  dateKeyRight: optional(path('Wins over dateKey on the right side')),
  amountTolerancePercent: optional(Type.Number({ minimum: 0, description: 'Default: that of params' })),
  amountTolerance: optional(
    Type.Number({ minimum: 0, description: 'In currency units, up to 10^12; the larger of both tolerances holds' }),
  ),
  amountBucketSize: optional(Type.Number({ exclusiveMinimum: 0, description: 'In currency units; default 1' })),
  amountBucketWindow: optional(
    Type.Number({ minimum: 0, description: 'Neighbouring buckets on each side; default 1' }),
  ),
  dateToleranceDays: optional(Type.Number({ minimum: 0, description: 'Default windowDays' })),
  dateFromDays: optional(
    Type.Number({ description: 'Minimum of right − left in days; default −dateToleranceDays; may be negative' }),
  ),
  dateToDays: optional(Type.Number({ description: 'Maximum of right − left in days; default dateToleranceDays' })),
  keys: optional(Type.Array(key, { minItems: 1, maxItems: 8, description: 'All of them agree' })),
  text: optional(text),
};

const rule = closed(
  {
    name: optional(Type.String({ minLength: 1, maxLength: 100, description: 'Default rule 1, rule 2, …' })),
    ...conditions,
  },
  { $id: 'BlockingRule', description: 'All its conditions hold for a pair' },
);

export const blocking = closed(
  {
    enabled: optional(Type.Boolean({ description: 'Default true when another key is set' })),
    ...conditions,
    rules: optional(
      Type.Array(rule, {
        minItems: 1,
        maxItems: 8,
        description:
          'Any of them lets a pair through. Beside rules only the keys of amount and date are allowed: rules read ' +
          'them unless they name their own',
      }),
    ),
  },
  { $id: 'Blocking' },
);
