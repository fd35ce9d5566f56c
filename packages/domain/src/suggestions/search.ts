import {
  chooseSlice,
  storable,
  suggestSteps,
  withoutSources,
  type Side,
  type Slice,
  type Suggestion,
} from '@tieout/engine';
import { AppError, type JobPayload } from '@tieout/infra';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { leftOutWarnings, loadFields } from '../data/records';
import type { Jobs } from '../kernel/jobs';
import type { JsonObject } from '../kernel/ports';
import { tenantScope, type DomainDeps, type TenantScope } from '../kernel/scope';
import { answerInquiry, progressNotes, suggestionInquiry, workOnInquiry } from '../inquiries';
import type { OnStep } from '../matching';
import { halfOf } from './halves';
import { countRecords, eachPartialRecord, recordPages, recordsOf, type RecordSample } from './sample';
import { train, type TrainingAnswer, type Watch } from './training';

/** Share of the progress that reading takes. */
const readingShare = 0.2;
/** Records that show how to slice large datasets. */
const probedRecords = 4_000;
/** A slice has more right records than left ones, because it has a margin. */
const maxSideFactor = 4;
/** A slice with a smaller part of the left records that it should have leaves out what most records are like. */
const minOfSlice = 0.1;
/** Max memory of the left records of a sample, and of one side of the records that only show what records look like. */
const maxSampleBytes = 32 << 20;
const maxProbeBytes = 16 << 20;
/** Memory that a value of a record takes besides its text. */
const valueBytes = 50;

const columns = `id::text as id, left_dataset_id::text as "leftDatasetId", right_dataset_id::text as "rightDatasetId",
  sample_limit as "sampleLimit", rule_set_id::text as "ruleSetId"`;

interface Search extends Record<`${Side}DatasetId`, string> {
  id: string;
  sampleLimit: number;
  ruleSetId: string | null;
}

interface BegunSearch extends Search {
  /** Records that are not normalised yet, and take no part. */
  pending: number;
}

/** Creates the handler of suggestions. It is safe to repeat and to be killed at any point: its row owns its state. */
export function createSuggestionHandlers(deps: DomainDeps, onStep: OnStep = () => undefined) {
  const search = async ({ tenantId, suggestionId }: JobPayload<Jobs, 'suggestion.search'>): Promise<void> => {
    const scope = tenantScope(deps, tenantId);
    await workOnInquiry<Search>(scope, suggestionInquiry, suggestionId, {
      columns,
      // A training reads the results of a job that is over.
      reads: ({ ruleSetId, leftDatasetId, rightDatasetId }) =>
        ruleSetId === null ? [leftDatasetId, rightDatasetId] : [],
      work: async (begun, pending) => {
        const found = storable(await answer(scope, { ...begun, pending }, onStep)) as object;
        await answerInquiry(scope, suggestionInquiry, begun.id, { answer: found, isFinal: true });
      },
      // A training needs what may be gone since it was asked for: its rule set, or its results.
      failureOf: (error, { ruleSetId }) =>
        error instanceof AppError && ruleSetId !== null ? { code: error.code, message: error.message } : undefined,
    });
  };
  return { 'suggestion.search': search, 'suggestion.train': search };
}

function answer(scope: TenantScope, search: BegunSearch, onStep: OnStep): Promise<Suggestion | TrainingAnswer> {
  const watch = { onStep, note: progressNotes(scope, suggestionInquiry, search.id) };
  return search.ruleSetId === null ? find(scope, search, watch) : train(scope, search.ruleSetId, watch);
}

async function find(scope: TenantScope, search: BegunSearch, { onStep, note }: Watch): Promise<Suggestion> {
  const counts = {
    left: await countRecords(scope, search.leftDatasetId),
    right: await countRecords(scope, search.rightDatasetId),
  };
  const failed = counts.left.failed + (isOneSide(search) ? 0 : counts.right.failed);
  const leftOut = leftOutWarnings({ failed, pending: search.pending });
  const ready = { left: counts.left.ready, right: counts.right.ready };
  const { records, totals } = await readSample(scope, { ...search, totals: ready }, async (progress) => {
    onStep();
    await note(readingShare * progress);
  });
  const fields = await loadFields(scope, [search.leftDatasetId, search.rightDatasetId]);
  const telling = (side: Side): JsonObject[] =>
    records[side].map(withoutSources(fields.get(search[`${side}DatasetId`]) ?? []));
  const input = { left: telling('left'), right: telling('right'), totals, isOneSide: isOneSide(search), onStep };
  const steps = suggestSteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { ...step.value, warnings: [...leftOut, ...step.value.warnings] };
    onStep();
    await note(readingShare + (1 - readingShare) * step.value);
    await yieldToEvents();
  }
}

const isOneSide = ({ leftDatasetId, rightDatasetId }: Search): boolean => leftDatasetId === rightDatasetId;

type Note = (progress: number) => Promise<void> | void;

/** Reads the records of both sides, or a slice of them that holds records together with their partners. */
async function readSample(
  scope: TenantScope,
  { totals, ...search }: Search & Pick<RecordSample, 'totals'>,
  note: Note,
): Promise<RecordSample> {
  const isHalved = isOneSide(search);
  const whole = (records: SidesOfSample): RecordSample => ({
    records,
    totals: isHalved ? { left: totals.left, right: records.right.length } : totals,
  });
  const few = Math.min(1, probedRecords / Math.max(1, totals.left, totals.right));
  const probe = await readShare(scope, search, { part: few, maxBytes: maxProbeBytes, note: (done) => note(done / 4) });
  const limit = Math.min(search.sampleLimit, Math.ceil(maxSampleBytes / probe.recordBytes));
  const largest = isHalved ? totals.left / 2 : Math.max(totals.left, totals.right);
  const share = Math.min(1, limit / Math.max(1, largest));
  if (share === 1 && few === 1 && probe.isWhole) return whole(probe.records);
  const rest = (done: number) => note(0.25 + 0.75 * done);
  if (share === 1) return whole((await readShare(scope, search, { part: 1, maxBytes: null, note: rest })).records);
  const maxSide = maxSideFactor * limit;
  const slice = chooseSlice(probe.records, share, maxSide / Math.max(1, totals.right));
  const records = await readSlice(scope, search, slice, { totals, maxSide, note: rest });
  // Few records have a value that parts them: those stand for no others, and some of all show what these are like.
  const isUsual = records.left.length >= minOfSlice * share * totals.left && records.right.length > 0;
  if (!isUsual) return { records: probe.records, totals };
  // Outside of the slice there are no candidates: a left record meets as many as in the whole.
  return { records, totals: { left: totals.left, right: records.right.length } };
}

/** Datasets that are read: one that is compared with itself is read once, and its records take sides in turn. */
const passesOf = (search: Search): readonly Side[] => (isOneSide(search) ? ['left'] : ['left', 'right']);

interface ReadShare {
  records: SidesOfSample;
  /** Mean bytes of the memory that a record takes; 0 where they are not bounded. */
  recordBytes: number;
  /** False if a side has more than the bytes that may be read. */
  isWhole: boolean;
}

async function readShare(
  scope: TenantScope,
  search: Search,
  { part, maxBytes, note }: { part: number; maxBytes: number | null; note: Note },
): Promise<ReadShare> {
  const read: ReadShare = { records: { left: [], right: [] }, recordBytes: 0, isWhole: true };
  const { records } = read;
  const passes = passesOf(search);
  let all = 0;
  for (const [at, pass] of passes.entries()) {
    let [seen, bytes] = [0, 0];
    for await (const page of recordPages(scope, search[`${pass}DatasetId`], part)) {
      for (const record of page) {
        records[isOneSide(search) ? halfOf(seen++) : pass].push(record);
        if (maxBytes !== null) bytes += bytesOf(record);
      }
      await note((at + 0.5) / passes.length);
      if (maxBytes === null || bytes <= maxBytes) continue;
      read.isWhole = false;
      break;
    }
    all += bytes;
  }
  read.recordBytes = all / Math.max(1, records.left.length + records.right.length);
  return read;
}

/** Returns about how much memory a record takes: its text, and what each of its values takes beside it. */
const bytesOf = (record: JsonObject): number => JSON.stringify(record).length + valueBytes * Object.keys(record).length;

type SidesOfSample = RecordSample['records'];

/** Finds the records of a slice by what it is made by, and then reads those. */
async function readSlice(
  scope: TenantScope,
  search: Search,
  slice: Slice,
  { totals, maxSide, note }: { totals: Record<Side, number>; maxSide: number; note: Note },
): Promise<SidesOfSample> {
  const records: SidesOfSample = { left: [], right: [] };
  if (slice.paths.left.length === 0) return records;
  const passes = passesOf(search);
  for (const [at, pass] of passes.entries()) {
    const ids: Record<Side, string[]> = { left: [], right: [] };
    let seen = 0;
    const sideOf = (): Side => (isOneSide(search) ? halfOf(seen) : pass);
    const paths = isOneSide(search) ? [...new Set([...slice.paths.left, ...slice.paths.right])] : slice.paths[pass];
    const source = { datasetId: search[`${pass}DatasetId`], paths };
    await eachPartialRecord(
      scope,
      source,
      ({ id, value }) => {
        const side = sideOf();
        seen++;
        if (ids[side].length < maxSide && slice.keeps(side, value)) ids[side].push(id());
      },
      () => note((at + Math.min(1, seen / Math.max(1, totals[pass]))) / passes.length),
    );
    for (const side of ['left', 'right'] as const)
      for await (const page of recordsOf(scope, ids[side])) {
        records[side].push(...page);
        await note((at + 1) / passes.length);
      }
  }
  return records;
}
