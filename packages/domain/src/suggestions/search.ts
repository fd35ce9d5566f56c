import { storable, suggestSteps, type Side, type Suggestion } from '@tieout/engine';
import type { JobPayload } from '@tieout/infra';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Jobs } from '../kernel/jobs';
import type { JsonObject } from '../kernel/ports';
import { tenantScope, type DomainDeps, type TenantScope } from '../kernel/scope';
import type { OnStep } from '../matching';
import { countReady, recordPages, type RecordSample } from './sample';

/** Times between two notes of the progress. */
const noteEveryMs = 500;
/** Share of the progress that reading takes. */
const readingShare = 0.2;

interface Search extends Record<`${Side}DatasetId`, string> {
  id: string;
  sampleLimit: number;
}

/** The suggestion was cancelled, or its dataset deleted, during the search. */
class SearchStoppedError extends Error {}

/** Creates the handler of suggestions. It is safe to repeat and to be killed at any point: its row owns its state. */
export function createSuggestionHandlers(deps: DomainDeps, onStep: OnStep = () => undefined) {
  return {
    'suggestion.search': async (payload: JobPayload<Jobs, 'suggestion.search'>): Promise<void> => {
      const scope = tenantScope(deps, payload.tenantId);
      const search = await begin(scope, payload.suggestionId);
      if (!search) return;
      try {
        await complete(scope, search.id, await find(scope, search, onStep));
      } catch (error) {
        if (!(error instanceof SearchStoppedError)) throw error;
      }
    },
  };
}

async function begin({ db, tenantId }: TenantScope, id: string): Promise<Search | undefined> {
  const [search] = await db.query<Search>(
    `update suggestions set status = 'running', started_at = coalesce(started_at, now()), seen_at = now(), progress = 0
      where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')
      returning id::text as id, left_dataset_id::text as "leftDatasetId", right_dataset_id::text as "rightDatasetId",
                sample_limit as "sampleLimit"`,
    [tenantId, id],
  );
  return search;
}

async function find(scope: TenantScope, search: Search, onStep: OnStep): Promise<Suggestion> {
  const note = progressNotes(scope, search.id);
  const sample = await readSample(scope, search, async (progress) => {
    onStep();
    await note(readingShare * progress);
  });
  const steps = suggestSteps({ ...sample.records, totals: sample.totals, onStep });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onStep();
    await note(readingShare + (1 - readingShare) * step.value);
    await nextTurn();
  }
}

async function readSample(
  scope: TenantScope,
  search: Search,
  note: (progress: number) => Promise<void>,
): Promise<RecordSample> {
  const records: Record<Side, JsonObject[]> = { left: [], right: [] };
  const totals = {
    left: await countReady(scope, search.leftDatasetId),
    right: await countReady(scope, search.rightDatasetId),
  };
  for (const side of ['left', 'right'] as const) {
    let read = 0;
    const share = Math.min(1, search.sampleLimit / Math.max(1, totals[side]));
    for await (const page of recordPages(scope, search[`${side}DatasetId`], share)) {
      for (const record of page) records[side].push(record);
      read += page.length;
      await note((side === 'left' ? 0 : 0.5) + (0.5 * Math.min(read, totals[side])) / Math.max(1, totals[side]));
    }
  }
  return { records, totals };
}

/** Returns a function that notes the progress now and then. @throws SearchStoppedError once the search has ended */
function progressNotes({ db, tenantId }: TenantScope, id: string): (progress: number) => Promise<void> {
  let notedMs = performance.now();
  return async (progress) => {
    if (performance.now() - notedMs < noteEveryMs) return;
    notedMs = performance.now();
    const count = await db.execute(
      `update suggestions set progress = greatest(progress, $3::float8), seen_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status = 'running'`,
      [tenantId, id, progress],
    );
    if (count === 0) throw new SearchStoppedError();
  };
}

async function complete({ db, tenantId }: TenantScope, id: string, answer: Suggestion): Promise<void> {
  await db.execute(
    `update suggestions set status = 'completed', progress = 1, answer = $3::jsonb, finished_at = now(), seen_at = now()
      where tenant_id = $1::uuid and id = $2::uuid and status = 'running'`,
    [tenantId, id, JSON.stringify(storable(answer))],
  );
}
