import { chooseSlice, storable, suggestSteps, type Side, type Slice, type Suggestion } from '@tieout/engine';
import { AppError, type JobPayload } from '@tieout/infra';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Jobs } from '../kernel/jobs';
import { tenantScope, type DomainDeps, type TenantScope } from '../kernel/scope';
import type { OnStep } from '../matching';
import { failSuggestion } from './fail';
import { countReady, recordPages, type RecordSample } from './sample';
import { train, type TrainingAnswer } from './training';

/** Times between two notes of the progress. */
const noteEveryMs = 500;
/** Share of the progress that reading takes. */
const readingShare = 0.2;
/** Records that show how to slice large datasets. */
const probedRecords = 4_000;
/** A slice has more right records than left ones, because it has a margin. */
const maxSideFactor = 4;

interface Search extends Record<`${Side}DatasetId`, string> {
  id: string;
  sampleLimit: number;
  ruleSetId: string | null;
}

/** The suggestion was cancelled, or its dataset deleted, during the search. */
class SearchStoppedError extends Error {}

/** Creates the handler of suggestions. It is safe to repeat and to be killed at any point: its row owns its state. */
export function createSuggestionHandlers(deps: DomainDeps, onStep: OnStep = () => undefined) {
  const search = async ({ tenantId, suggestionId }: JobPayload<Jobs, 'suggestion.search'>): Promise<void> => {
    const scope = tenantScope(deps, tenantId);
    const begun = await begin(scope, suggestionId);
    if (!begun) return;
    try {
      await complete(scope, begun.id, await answer(scope, begun, onStep));
    } catch (error) {
      if (error instanceof SearchStoppedError) return;
      // A training needs what may be gone since it was asked for: its rule set, or its results.
      if (!(error instanceof AppError) || begun.ruleSetId === null) throw error;
      await failSuggestion(scope, begun.id, { code: error.code, message: error.message });
    }
  };
  return { 'suggestion.search': search, 'suggestion.train': search };
}

async function begin({ db, tenantId }: TenantScope, id: string): Promise<Search | undefined> {
  const [search] = await db.query<Search>(
    `update suggestions set status = 'running', started_at = coalesce(started_at, now()), seen_at = now(), progress = 0
      where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')
      returning id::text as id, left_dataset_id::text as "leftDatasetId", right_dataset_id::text as "rightDatasetId",
                sample_limit as "sampleLimit", rule_set_id::text as "ruleSetId"`,
    [tenantId, id],
  );
  return search;
}

function answer(scope: TenantScope, search: Search, onStep: OnStep): Promise<Suggestion | TrainingAnswer> {
  const { id, ruleSetId } = search;
  return ruleSetId === null
    ? find(scope, search, onStep)
    : train(scope, ruleSetId, { onStep, note: progressNotes(scope, id) });
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
    await yieldToEvents();
  }
}

/** Reads the records of both sides, or a slice of them that holds records together with their partners. */
async function readSample(
  scope: TenantScope,
  search: Search,
  note: (progress: number) => Promise<void>,
): Promise<RecordSample> {
  const totals = {
    left: await countReady(scope, search.leftDatasetId),
    right: await countReady(scope, search.rightDatasetId),
  };
  const share = Math.min(1, search.sampleLimit / Math.max(1, totals.left, totals.right));
  const read = async (
    keeps: Slice,
    part: number,
    progress: (done: number) => number,
  ): Promise<RecordSample['records']> => {
    const records: RecordSample['records'] = { left: [], right: [] };
    for (const [at, side] of (['left', 'right'] as const).entries()) {
      const max = maxSideFactor * search.sampleLimit;
      let seen = 0;
      for await (const page of recordPages(scope, search[`${side}DatasetId`], part)) {
        for (const record of page) if (records[side].length < max && keeps(side, record)) records[side].push(record);
        seen += page.length;
        await note(progress((at + Math.min(1, seen / Math.max(1, part * totals[side]))) / 2));
      }
    }
    return records;
  };
  const all: Slice = () => true;
  if (share === 1) return { records: await read(all, 1, (done) => done), totals };
  const few = Math.min(1, probedRecords / Math.max(totals.left, totals.right));
  const slice = chooseSlice(await read(all, few, (done) => done / 4), share);
  const records = await read(slice, 1, (done) => 0.25 + 0.75 * done);
  // Outside of the slice there are no candidates: a left record meets as many as in the whole.
  return { records, totals: { left: totals.left, right: records.right.length } };
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

async function complete({ db, tenantId }: TenantScope, id: string, found: Suggestion | TrainingAnswer): Promise<void> {
  await db.execute(
    `update suggestions set status = 'completed', progress = 1, answer = $3::jsonb, finished_at = now(), seen_at = now()
      where tenant_id = $1::uuid and id = $2::uuid and status = 'running'`,
    [tenantId, id, JSON.stringify(storable(found))],
  );
}
