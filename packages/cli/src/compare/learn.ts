import {
  candidatesOf,
  chooseSlice,
  runToEnd,
  suggestSteps,
  withoutSources,
  type JsonObject,
  type Side,
  type Suggestion,
} from '@tieout/engine';
import { maxPlainRecords, plainRules, rulesOfNoRecords, type NoRules, type PlainRules } from './plain-rules';
import type { SideTable } from './side-table';

/** Records of a side from which rules are learnt, as the service has it by default. */
const sampleLimit = 20_000;
const probedRecords = 4_000;
/** A slice has more right records than left ones, because it has a margin. */
const maxSideFactor = 4;
/** The share of right matches below which small files begin with plain rules. */
const minPrecision = 0.5;

export type ConnectedSuggestion = Extract<Suggestion, { connected: true }>;

export type LearnedRules = ConnectedSuggestion | PlainRules | NoRules;

/** Learns a rule set from the records of two files; small ones that teach nothing begin with plain rules. */
export function learnRules(tables: Record<Side, SideTable>, onProgress: (share: number) => void): LearnedRules {
  const noRules = rulesOfNoRecords(tables);
  if (noRules !== null) return noRules;
  const seqs = { left: candidatesOf(tables.left), right: candidatesOf(tables.right) };
  const withoutSource = { left: withoutSources(tables.left.fields), right: withoutSources(tables.right.fields) };
  const valueAt = (side: Side, seq: number): JsonObject => withoutSource[side](tables[side].records.valueAt(seq));
  const valuesOf = (side: Side, step = 1): JsonObject[] =>
    Array.from(
      seqs[side].filter((_, at) => at % step === 0),
      (seq) => valueAt(side, seq),
    );
  const largest = Math.max(seqs.left.length, seqs.right.length);
  const records = { left: [] as JsonObject[], right: [] as JsonObject[] };
  if (largest <= sampleLimit) Object.assign(records, { left: valuesOf('left'), right: valuesOf('right') });
  else {
    const step = Math.ceil(largest / probedRecords);
    const { keeps } = chooseSlice(
      { left: valuesOf('left', step), right: valuesOf('right', step) },
      sampleLimit / largest,
      (maxSideFactor * sampleLimit) / seqs.right.length,
    );
    for (const side of ['left', 'right'] as const)
      for (const seq of seqs[side]) {
        if (records[side].length >= maxSideFactor * sampleLimit) break;
        const value = valueAt(side, seq);
        if (keeps(side, value)) records[side].push(value);
      }
  }
  const right = largest <= sampleLimit ? seqs.right.length : records.right.length;
  const learnt = runToEnd(
    suggestSteps({ ...records, totals: { left: seqs.left.length, right }, isOfFiles: true }),
    onProgress,
  );
  if (!learnt.connected) return plainRules(tables, learnt.reason);
  if (largest > maxPlainRecords || learnt.expected.precision >= minPrecision) return learnt;
  return plainRules(tables, 'what these files teach would be wrong more often than right');
}
