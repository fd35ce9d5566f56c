import { chooseSlice, storable, suggestSteps, type Side, type Slice, type Suggestion } from '@tieout/engine';
import { AppError, type JobPayload } from '@tieout/infra';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Jobs } from '../kernel/jobs';
import { tenantScope, type DomainDeps, type TenantScope } from '../kernel/scope';
import { answerInquiry, progressNotes, suggestionInquiry, workOnInquiry } from '../inquiries';
import type { OnStep } from '../matching';
import { countReady, recordPages, type RecordSample } from './sample';
import { train, type TrainingAnswer, type Watch } from './training';

/** Share of the progress that reading takes. */
const readingShare = 0.2;
/** Records that show how to slice large datasets. */
const probedRecords = 4_000;
/** A slice has more right records than left ones, because it has a margin. */
const maxSideFactor = 4;

const columns = `id::text as id, left_dataset_id::text as "leftDatasetId", right_dataset_id::text as "rightDatasetId",
  sample_limit as "sampleLimit", rule_set_id::text as "ruleSetId"`;

interface Search extends Record<`${Side}DatasetId`, string> {
  id: string;
  sampleLimit: number;
  ruleSetId: string | null;
}

/** Creates the handler of suggestions. It is safe to repeat and to be killed at any point: its row owns its state. */
export function createSuggestionHandlers(deps: DomainDeps, onStep: OnStep = () => undefined) {
  const search = async ({ tenantId, suggestionId }: JobPayload<Jobs, 'suggestion.search'>): Promise<void> => {
    const scope = tenantScope(deps, tenantId);
    await workOnInquiry<Search>(scope, suggestionInquiry, suggestionId, {
      columns,
      work: async (begun) => {
        const found = storable(await answer(scope, begun, onStep)) as object;
        await answerInquiry(scope, suggestionInquiry, begun.id, { answer: found, isFinal: true });
      },
      // A training needs what may be gone since it was asked for: its rule set, or its results.
      failureOf: (error, { ruleSetId }) =>
        error instanceof AppError && ruleSetId !== null ? { code: error.code, message: error.message } : undefined,
    });
  };
  return { 'suggestion.search': search, 'suggestion.train': search };
}

function answer(scope: TenantScope, search: Search, onStep: OnStep): Promise<Suggestion | TrainingAnswer> {
  const watch = { onStep, note: progressNotes(scope, suggestionInquiry, search.id) };
  return search.ruleSetId === null ? find(scope, search, watch) : train(scope, search.ruleSetId, watch);
}

async function find(scope: TenantScope, search: Search, { onStep, note }: Watch): Promise<Suggestion> {
  const sample = await readSample(scope, search, async (progress) => {
    onStep();
    await note(readingShare * progress);
  });
  const steps = suggestSteps({ ...sample.records, totals: sample.totals, isOneSide: isOneSide(search), onStep });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onStep();
    await note(readingShare + (1 - readingShare) * step.value);
    await yieldToEvents();
  }
}

const isOneSide = ({ leftDatasetId, rightDatasetId }: Search): boolean => leftDatasetId === rightDatasetId;

/** Returns which half of a dataset the record at a place is in: duplicates are neighbours, or far from each other. */
const halfOf = (place: number): Side => (((Math.imul(place, 0x9e3779b1) >>> 16) & 1) === 0 ? 'left' : 'right');

/** Reads the records of both sides, or a slice of them that holds records together with their partners. */
async function readSample(
  scope: TenantScope,
  search: Search,
  note: (progress: number) => Promise<void> | void,
): Promise<RecordSample> {
  const isHalved = isOneSide(search);
  const totals = {
    left: await countReady(scope, search.leftDatasetId),
    right: await countReady(scope, search.rightDatasetId),
  };
  const largest = isHalved ? totals.left / 2 : Math.max(totals.left, totals.right);
  const share = Math.min(1, search.sampleLimit / Math.max(1, largest));
  const read = async (
    keeps: Slice,
    part: number,
    progress: (done: number) => number,
  ): Promise<RecordSample['records']> => {
    const records: RecordSample['records'] = { left: [], right: [] };
    const max = maxSideFactor * search.sampleLimit;
    const passes = isHalved ? (['left'] as const) : (['left', 'right'] as const);
    for (const [at, pass] of passes.entries()) {
      let seen = 0;
      for await (const page of recordPages(scope, search[`${pass}DatasetId`], part)) {
        for (const record of page) {
          const side = isHalved ? halfOf(seen) : pass;
          seen++;
          if (records[side].length < max && keeps(side, record)) records[side].push(record);
        }
        await note(progress((at + Math.min(1, seen / Math.max(1, part * totals[pass]))) / passes.length));
      }
    }
    return records;
  };
  const all: Slice = () => true;
  if (share === 1) {
    const records = await read(all, 1, (done) => done);
    return { records, totals: isHalved ? { left: totals.left, right: records.right.length } : totals };
  }
  const few = Math.min(1, probedRecords / Math.max(totals.left, totals.right));
  const maxRightShare = (maxSideFactor * search.sampleLimit) / Math.max(1, totals.right);
  const slice = chooseSlice(await read(all, few, (done) => done / 4), share, maxRightShare);
  const records = await read(slice, 1, (done) => 0.25 + 0.75 * done);
  // Outside of the slice there are no candidates: a left record meets as many as in the whole.
  return { records, totals: { left: totals.left, right: records.right.length } };
}
