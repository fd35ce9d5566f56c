import { useQuery } from '@tanstack/react-query';
import { tieout, type Schema } from './client';
import { draftBody, type PassRules, type RulesDraft } from './rules';

export type RulesTrial = Schema<'Simulation'>;
export type TriedRules = Schema<'SimulationAnswer'>;
export type TrialChange = Schema<'ChangedPair'>;

/** Left records of a trial: some, or as many as the service reads. */
export const trialSizes = { sample: 2_000, all: 1_000_000 } as const;
export type TrialSize = keyof typeof trialSizes;

/** Starts a trial of a draft in place of its pass. */
export function tryRules(draft: RulesDraft, pass: PassRules, size: TrialSize, idempotencyKey?: string) {
  const body = { ruleSet: draftBody(draft, pass), against: pass.id, sample: { records: trialSizes[size] } };
  return tieout.simulateRuleSet({ body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
}

const isOpen = ({ status }: Pick<RulesTrial, 'status'>): boolean => status === 'queued' || status === 'running';

/** A trial with its progress and its answer so far. */
export const useTrial = (id: string | null) =>
  useQuery({
    queryKey: ['rules-trial', id],
    queryFn: ({ signal }) => tieout.getSimulation({ path: { id: id as string }, signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? 700 : false),
  });
