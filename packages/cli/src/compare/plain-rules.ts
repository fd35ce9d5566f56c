import path from 'node:path';
import type { RuleSetParams, Side } from '@tieout/engine';
import { CommandError } from '../failure';
import type { SideTable } from './side-table';

/** Rules to begin with where records are too few to learn from: equal amounts, each record once. */
export interface PlainRules {
  connected: false;
  ruleSet: { engine: 'jsonata-batch'; params: RuleSetParams };
  /** The reason why nothing was learnt. */
  reason: string;
  /** The fields that hold the amounts. */
  fields: Record<Side, string>;
}

/** Rules that pair nothing: a side has no records to pair. */
export interface NoRules {
  connected: false;
  ruleSet: PlainRules['ruleSet'];
  /** The reason why there is nothing to pair. */
  reason: string;
  fields: null;
}

/** Returns rules that pair nothing where a side has no records: all that the other side has is open. */
export function rulesOfNoRecords({ left, right }: Record<Side, SideTable>): NoRules | null {
  const empty = [left, right].filter(({ length, rejectedRows }) => length + rejectedRows === 0);
  if (empty.length === 0) return null;
  const names = empty.map(({ name }) => path.basename(name));
  const matchers = [{ id: 'none', name: 'No pair', expr: 'false', weight: 1 }];
  return {
    connected: false,
    ruleSet: { engine: 'jsonata-batch', params: { Tmatch: 1, Tpossible: 1, matchers } },
    reason: `${names.join(' and ')} ${names.length === 1 ? 'has' : 'have'} no records`,
    fields: null,
  };
}

/** Equal amounts of more records may be so by chance. */
export const maxPlainRecords = 200;

/** Returns plain rules for two small files. @throws CommandError for larger ones, and where a side has no amounts */
export function plainRules(tables: Record<Side, SideTable>, reason: string): PlainRules {
  const { left, right } = tables;
  const fields = amountFields(left, right);
  if (fields === null || Math.max(left.length, right.length) > maxPlainRecords) throw notLearnt(tables, reason);
  const expr = `$amountClose(left.\`${fields.left}\`, right.\`${fields.right}\`, 0)`;
  const params: RuleSetParams = {
    ...{ Tmatch: 1, Tpossible: 1, assignment: 'one_to_one' },
    matchers: [{ id: 'amount', name: 'Amount', expr, weight: 1 }],
    blocking: { amountKeyLeft: fields.left, amountKeyRight: fields.right, amountTolerance: 0 },
  };
  return { connected: false, ruleSet: { engine: 'jsonata-batch', params }, reason, fields };
}

/** The fields that hold amounts: of one name where there is such a pair, else the first of each side. */
function amountFields(left: SideTable, right: SideTable): Record<Side, string> | null {
  const ofAmounts = ({ fields }: SideTable): string[] =>
    fields.flatMap(({ key, type }) => (type === 'amount' ? [key] : []));
  const [lefts, rights] = [ofAmounts(left), ofAmounts(right)];
  const shared = lefts.find((key) => rights.includes(key));
  const [one, other] = [shared ?? lefts[0], shared ?? rights[0]];
  return one === undefined || other === undefined ? null : { left: one, right: other };
}

/** The error shows a rule file with fields of these files, to be changed to those that belong together. */
function notLearnt({ left, right }: Record<Side, SideTable>, reason: string): CommandError {
  const [one, other] = [left, right].map(({ fields }) => fields[0]?.key ?? 'id');
  return new CommandError(`No rules can be learnt from these files: ${reason}`, [
    'Say with --rules FILE how their records belong together. A rule file is text such as:',
    `  jsonataExpr: left.\`${one}\` = right.\`${other}\``,
    '  params: { Tmatch: 1, Tpossible: 1 }',
    'tieout rules schema prints all that it may hold.',
  ]);
}
