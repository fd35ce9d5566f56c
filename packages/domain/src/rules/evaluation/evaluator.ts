import type { FieldError } from '@tieout/infra';
import type { CheckRequest, PreviewRequest, PreviewResult } from '../rule-sets';
import type { IdentifyRequest } from '../../data/records';

/**
 * Runs expressions that tenants wrote on behalf of a process that must stay responsive: the API holds one that
 * works in child processes, a worker's own child process evaluates in place.
 */
export interface Evaluator {
  /** What keeps a rule set from running; paths are JSON pointers from the rule set. */
  check(request: CheckRequest): Promise<FieldError[]>;
  /** Decisions, scores and explanations of pairs; nothing is stored. */
  preview(request: PreviewRequest): Promise<PreviewResult>;
  /** The external id that the identity fields give each body; null where they give none. */
  identify(request: IdentifyRequest): Promise<(string | null)[]>;
}
