import type { JsonObject } from '@tieout/engine';
import { AppError, type SqlParameter } from '@tieout/infra';
import { decodeKeyset, keysetPage, type KeysetPage, type KeysetRequest } from '../kernel/keyset';
import type { TenantScope } from '../kernel/scope';
import { explanationsOf } from '../results/matches';
import { getRuleSet } from '../rules/rule-sets';
import { recordSql } from './lookups';
import { decimalOf, unitsOf } from './amounts';
import { itemColumns, type ItemOfRecord } from './candidates/partners';
import { getReconciliation, type AmountSignMode } from './definition';
import { isLive, isOpen, latestRunOf } from './items/proposals';

export const proposalKinds = ['pair', 'composite'] as const;

/** Something that the latest run proposes and that can be confirmed: all of its records are open. */
export interface OpenProposal {
  /** The match or composite match. */
  id: string;
  kind: (typeof proposalKinds)[number];
  decision: 'MATCH' | 'POSSIBLE';
  score: number;
  ruleSetId: string;
  ruleSetName: string;
  explanation: JsonObject;
  /** Left less right, or plus right with opposite signs, by what remains; null where a record has no amount. */
  difference: string | null;
  /** A pair has left and right, a composite its target, then its members. */
  records: ItemOfRecord[];
}

export interface ProposalFilter {
  kind?: OpenProposal['kind'] | undefined;
  decision?: OpenProposal['decision'] | undefined;
  ruleSetId?: string | undefined;
  /** A record that it names. */
  recordId?: string | undefined;
  minScore?: number | undefined;
  maxScore?: number | undefined;
}

interface ProposalRow extends Pick<OpenProposal, 'id' | 'kind' | 'decision' | 'score' | 'ruleSetId' | 'ruleSetName'> {
  stored: string;
  recordIds: string[];
  scoreText: string;
  /** All that fit, on the first page. */
  counted: number | null;
}

/** A larger number of proposals is not told: it would promise more than people look at. */
const maxCounted = 20_000;

/**
 * Lists what the latest run proposes, the best first. What has been confirmed, rejected or overtaken by a group is not
 * among it.
 * @throws AppError reconciliation_not_found, rule_set_not_found, record_not_found
 */
export async function listProposals(
  scope: TenantScope,
  reconciliationId: string,
  { filter, page }: { filter: ProposalFilter; page: KeysetRequest },
): Promise<KeysetPage<OpenProposal>> {
  const reconciliation = await getReconciliation(scope, reconciliationId);
  if (filter.ruleSetId !== undefined) await getRuleSet(scope, filter.ruleSetId);
  if (filter.recordId !== undefined) await assertItem(scope, reconciliation.id, filter.recordId);
  const run = await latestRunOf(scope, reconciliation);
  if (run === null) return keysetPage(page, [], { total: 0, sortOf: () => [] });
  const decisions = run.decisions.filter((one) => filter.decision === undefined || one === filter.decision);
  const parameters: SqlParameter[] = [scope.tenantId, reconciliation.id, run.jobId, decisions];
  const found = proposalsSql(filter, (value) => `$${parameters.push(value)}`);
  let after = '';
  if (page.cursor !== undefined) {
    const [score, id] = decodeKeyset(page.cursor, ['number', 'id']);
    const place = `$${parameters.push(Number(score))}::float8, $${parameters.push(id as string)}::uuid`;
    after = `where (p.score, p.id) < (${place})`;
  }
  const rows = await scope.db.query<ProposalRow>(
    `select p.id::text as id, p.kind, p.decision, p.score, p.score::text as "scoreText",
            p.rule_set_id::text as "ruleSetId", s.name as "ruleSetName", p.stored, p.record_ids::text[] as "recordIds",
            ${page.cursor === undefined ? 'count(*) over ()::float8' : 'null'} as counted
       from (${found}) p join rule_sets s on s.tenant_id = $1::uuid and s.id = p.rule_set_id ${after}
      order by p.score desc, p.id desc limit ${page.limit + 1}`,
    parameters,
  );
  const counted = page.cursor === undefined ? (rows[0]?.counted ?? 0) : null;
  const total = counted === null || counted > maxCounted ? null : counted;
  const paged = keysetPage(page, rows, { total, sortOf: (row) => [row.scoreText, row.id] });
  return { ...paged, items: await withRecords(scope, reconciliation.id, paged.items, reconciliation.amountSign) };
}

async function assertItem({ db, tenantId }: TenantScope, reconciliationId: string, recordId: string): Promise<void> {
  const [item] = await db.query(
    `select 1 from reconciliation_items
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and record_id = $3::uuid`,
    [tenantId, reconciliationId, recordId],
  );
  if (!item) throw new AppError('record_not_found', 'The record is not an item of the reconciliation');
}

/** SQL for the proposals: parameters 1 to 4 are tenant, reconciliation, run and decisions. */
function proposalsSql(filter: ProposalFilter, parameter: (value: SqlParameter) => string): string {
  const names = { reconciliation: '$2', job: '$3', decisions: '$4' };
  const record = filter.recordId === undefined ? undefined : `${parameter(filter.recordId)}::uuid`;
  const ruleSet = filter.ruleSetId === undefined ? undefined : `${parameter(filter.ruleSetId)}::uuid`;
  const min = filter.minScore === undefined ? undefined : `${parameter(filter.minScore)}::float8`;
  const max = filter.maxScore === undefined ? undefined : `${parameter(filter.maxScore)}::float8`;
  const common = (alias: string): string =>
    [
      isLive(alias, names),
      ...(ruleSet === undefined ? [] : [`${alias}.rule_set_id = ${ruleSet}`]),
      ...(min === undefined ? [] : [`${alias}.score >= ${min}`]),
      ...(max === undefined ? [] : [`${alias}.score <= ${max}`]),
    ].join(' and ');
  const pairs = `select m.id, 'pair' as kind, m.decision, m.score, m.rule_set_id, '' as stored,
      array[m.left_record_id, m.right_record_id] as record_ids
    from matches m
   where ${common('m')} and ${isOpen('m.left_record_id', names)} and ${isOpen('m.right_record_id', names)}
     ${record === undefined ? '' : `and (m.left_record_id = ${record} or m.right_record_id = ${record})`}`;
  const members = 'composite_members n where n.tenant_id = $1::uuid and n.composite_id = c.id';
  const isMember = (id: string): string => `exists (select 1 from ${members} and n.record_id = ${id})`;
  const composites = `select c.id, 'composite' as kind, c.decision, c.score, c.rule_set_id,
      c.explanation::text as stored,
      c.target_record_id || (select array_agg(n.record_id order by n.position) from ${members}) as record_ids
    from composite_matches c
   where ${common('c')} and ${isOpen('c.target_record_id', names)}
     and not exists (select 1 from ${members} and not ${isOpen('n.record_id', names)})
     ${record === undefined ? '' : `and (c.target_record_id = ${record} or ${isMember(record)})`}`;
  return [...(filter.kind === 'composite' ? [] : [pairs]), ...(filter.kind === 'pair' ? [] : [composites])].join(
    ' union all ',
  );
}

async function withRecords(
  scope: TenantScope,
  reconciliationId: string,
  rows: readonly ProposalRow[],
  amountSign: AmountSignMode,
): Promise<OpenProposal[]> {
  const ids = rows.flatMap(({ recordIds }) => recordIds);
  const items = await scope.db.query<ItemOfRecord>(
    `select ${itemColumns}, r.data || coalesce(r.fields, '{}') as record
       from reconciliation_items i cross join lateral (${recordSql('i.record_id')}) r
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.record_id = any($3::uuid[])`,
    [scope.tenantId, reconciliationId, ids],
  );
  const byId = new Map(items.map((item) => [item.recordId, item]));
  const explanations = await explanationsOf(
    scope,
    rows.flatMap(({ id, kind }) => (kind === 'pair' ? [id] : [])),
  );
  return rows.map(({ stored, recordIds, scoreText: _scoreText, counted: _counted, ...row }) => {
    const records = recordIds.flatMap((id) => byId.get(id) ?? []);
    return {
      ...row,
      records,
      explanation: JSON.parse(explanations.get(row.id)?.text ?? stored) as JsonObject,
      difference: differenceOf(records, amountSign),
    };
  });
}

function differenceOf(records: readonly ItemOfRecord[], amountSign: AmountSignMode): string | null {
  let sum = 0n;
  for (const { remaining, side } of records) {
    const units = unitsOf(remaining);
    if (units === null) return null;
    sum += side === 'right' && amountSign === 'same' ? -units : units;
  }
  return decimalOf(sum);
}
