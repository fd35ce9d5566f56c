import type { RunMode } from '../matching';
import type { ItemAnnotation, NewMatchGroup } from '../reconciliations';
import type { NewRuleSet } from '../rules/rule-sets';

export const proposedActions = ['match_group', 'annotation', 'rule_set', 'run'] as const;
export const proposalStatuses = ['pending', 'confirmed', 'rejected'] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];

export interface ProposedAnnotation {
  reconciliationId: string;
  recordIds: readonly string[];
  set: ItemAnnotation;
}

export interface ProposedRun {
  reconciliationId: string;
  mode: RunMode;
}

/** A change that an agent asks for, with the input of the operation that makes it. */
export type ProposedAction =
  | { action: 'match_group'; input: NewMatchGroup }
  | { action: 'annotation'; input: ProposedAnnotation }
  | { action: 'rule_set'; input: NewRuleSet }
  | { action: 'run'; input: ProposedRun };
