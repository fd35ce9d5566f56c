import type { AbsentField } from './warnings';

/** Holds the facts that the warnings of an entry need in addition to its counts. */
export interface WarningRow {
  absentFields: AbsentField[];
  /** True if it composes, and no condition ties its groups to their targets though its pairs have an expression. */
  ignoresExpression: boolean;
  /** Names of the keys that blocking and its rules have, and `windowDays` where params has it. */
  blockingKeys: string[];
  isOneToOne: boolean;
}

/** SQL for the columns of `WarningRow` of an entry `e`. */
export const warningColumns = `e.absent_fields as "absentFields",
  coalesce(e.definition ->> 'engine' = 'jsonata'
    and (e.definition #>> '{params,composition,enabled}')::boolean
    and coalesce(jsonb_array_length(e.definition #> '{params,filters}'), 0) = 0
    and coalesce(jsonb_array_length(e.definition #> '{params,composition,matchKeys}'), 0) = 0,
    false) as "ignoresExpression",
  jsonb_path_query_array(e.definition, '$.params.blocking.keyvalue().key')
    || jsonb_path_query_array(e.definition, '$.params.blocking.rules[*].keyvalue().key')
    || jsonb_path_query_array(e.definition,
         '$.params.keyvalue().key ? (@ == "windowDays")') as "blockingKeys",
  coalesce(e.definition #>> '{params,assignment}' = 'one_to_one', false) as "isOneToOne"`;
