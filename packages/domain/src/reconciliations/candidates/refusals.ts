import type { CandidatePair } from '../../kernel/ports';

/** Reasons why no pass has tied a candidate, and what they mean. */
export const refusals = {
  no_pass: 'No pass compares these two datasets',
  composition: 'The pass does not compose groups for a record of this side',
  blocking: 'Blocking of the pass does not bring these amounts together',
  window: 'The dates are further apart than the pass allows',
  filter: 'A filter or a key of the pass keeps them apart',
  error: 'An expression of the pass failed on them',
  threshold: 'The records do not reach what the pass asks for a MATCH: score, tolerance or size',
  rejected: 'People have rejected or released them',
  competition: 'The pass would tie them, but others are as good or better',
  not_run: 'The pass would tie them: no run has seen both as they are now',
} as const;
export type RefusalReason = keyof typeof refusals;

/** Returns why a scored pair is no MATCH; null for one. */
export function missedBy({ blocked, decision, dropped }: CandidatePair): RefusalReason | null {
  if (blocked !== null) return blocked;
  if (decision === 'MATCH') return null;
  if (decision === 'ERROR') return 'error';
  if (dropped === 'filter') return 'filter';
  if (dropped === 'window_days' || dropped === 'missing_date') return 'window';
  return dropped === undefined ? 'threshold' : 'blocking';
}
