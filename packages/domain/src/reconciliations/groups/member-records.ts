import type { JsonObject, Side } from '@tieout/engine';
import type { TenantScope } from '../../kernel/scope';
import { recordSql } from '../lookups';
import type { GroupMember, MatchGroup } from './types';

/** Records of a side that are read: more than a person compares. */
export const maxRecordsOfSide = 50;

/** Max octets of records in one answer. */
const maxOctets = 4 << 20;

const sides = ['left', 'right'] as const satisfies readonly Side[];

/**
 * Adds the records of members as they are today, data overlaid with fields: the first of each side, and no more than
 * fit an answer. The others, and those that are deleted, are null.
 */
export async function withMemberRecords(
  { db, tenantId }: TenantScope,
  groups: readonly MatchGroup[],
): Promise<MatchGroup[]> {
  const ids = groups.flatMap(({ members }) =>
    sides.flatMap((side) => members[side].slice(0, maxRecordsOfSide).map(({ recordId }) => recordId)),
  );
  const rows = await db.query<{ id: string; record: JsonObject }>(
    `select r.id::text as id, r.data || coalesce(r.fields, '{}') as record
       from (select r.id, sum(octet_length(r.data::text) + coalesce(octet_length(r.fields::text), 0))
                            over (order by named.at rows unbounded preceding) as octets
               from unnest($2::uuid[]) with ordinality named (id, at)
               cross join lateral (${recordSql('named.id')}) r) sized
       cross join lateral (${recordSql('sized.id')}) r
      where sized.octets <= ${maxOctets}`,
    [tenantId, ids],
  );
  const records = new Map(rows.map(({ id, record }) => [id, record]));
  const complete = (members: readonly GroupMember[]): GroupMember[] =>
    members.map((member) => ({ ...member, record: records.get(member.recordId) ?? null }));
  return groups.map((group) => ({
    ...group,
    members: { left: complete(group.members.left), right: complete(group.members.right) },
  }));
}
