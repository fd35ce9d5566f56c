import { newId } from '@tieout/infra';
import type { Books, JobBody } from './reconciliation';
import type { TestApi } from './test-api';

interface ReviewBody {
  status: string;
  note: string | null;
  reviewedAt: string;
  apiKeyId: string | null;
}

export interface CompositeBody {
  id: string;
  ruleSetId: string;
  matchingJobId: string;
  direction: string;
  status: string;
  expectedMemberCount: number;
  score: number;
  decision: string;
  targetAmount: number;
  composedAmount: number;
  amountDelta: number;
  explanation: Record<string, unknown>;
  createdAt: string;
  review?: ReviewBody;
}

export interface CompositeDetailBody extends CompositeBody {
  targetRecordId: string;
  members: { recordId: string; amount: number; date: string | null }[];
}

/** A composite as a test describes it; the other values are invented. */
export interface StoredComposite {
  /** External ids. */
  target: string;
  members: readonly string[];
  direction?: 'one_to_many' | 'many_to_one';
  decision?: 'MATCH' | 'POSSIBLE';
  score?: number;
}

/**
 * Writes a composite as a job would have: members of 10 each, on 1 March 2025 and the days after, the last without a
 * date. For tests of what is done with composites; those of how they come about run jobs.
 */
export async function storeComposite(
  api: TestApi,
  books: Books,
  job: JobBody,
  composite: StoredComposite,
): Promise<string> {
  const { target, members, direction = 'one_to_many', decision = 'MATCH', score = 1 } = composite;
  const db = api.service.deps.db.forTenant(books.tenant.tenantId);
  const id = newId();
  await db.execute(
    `insert into composite_matches (id, tenant_id, job_id, rule_set_id, rule_set_version, direction, status,
        expected_member_count, score, decision, target_record_id, target_amount, composed_amount, amount_delta,
        explanation)
     values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, 1, $5, $6, $7::int, $8::float8, $9, $10::uuid, $11::float8,
        $12::float8, -0.5, '{"kind": "subset"}')`,
    [
      id,
      db.tenantId,
      job.id,
      job.rule_sets[0]?.rule_set_id as string,
      direction,
      decision === 'MATCH' ? 'COMPLETE' : 'PARTIAL',
      members.length,
      score,
      decision,
      books.recordIds.get(target) as string,
      members.length * 10 + 0.5,
      members.length * 10,
    ],
  );
  await db.execute(
    `insert into composite_members (composite_id, tenant_id, position, record_id, amount, day)
     select $1::uuid, $2::uuid, m.place - 1, m.id, 10,
            case when m.place < $4::int then date '2025-02-28' + m.place::int end
       from unnest($3::uuid[]) with ordinality m(id, place)`,
    [id, db.tenantId, members.map((name) => books.recordIds.get(name) as string), members.length],
  );
  return id;
}
