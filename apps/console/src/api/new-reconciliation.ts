import { asTieoutError, queryClient, tieout } from './client';
import type { SuggestedRules } from './rules';

interface WantedReconciliation {
  name: string;
  leftDatasetId: string;
  rightDatasetId: string;
}

export interface MadeReconciliation {
  id: string;
  /** False: nothing connects the records, so the rules begin with equal amounts. */
  isLearnt: boolean;
}

const pollMs = 1_000;
const maxWaitMs = 180_000;

/** Has rules learnt from the records; undefined where nothing connects them, or it takes too long. */
async function learnRules({
  leftDatasetId,
  rightDatasetId,
}: WantedReconciliation): Promise<SuggestedRules | undefined> {
  const { id } = await tieout.suggestRuleSet({ body: { leftDatasetId, rightDatasetId } });
  for (const until = Date.now() + maxWaitMs; Date.now() < until;) {
    const { status, answer } = await tieout.getSuggestion({ path: { id } });
    if (status !== 'queued' && status !== 'running')
      return answer !== null && 'matchers' in answer ? answer : undefined;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  await tieout.cancelSuggestion({ path: { id } });
  return undefined;
}

/** Returns the field of a dataset that holds its amounts. */
async function amountFieldOf(datasetId: string): Promise<string> {
  const fields = await tieout.listDatasetFields({ path: { id: datasetId } });
  return fields.find(({ type }) => type === 'amount')?.key ?? 'amount';
}

async function plainRules({ name, leftDatasetId, rightDatasetId }: WantedReconciliation) {
  const [left, right] = await Promise.all([amountFieldOf(leftDatasetId), amountFieldOf(rightDatasetId)]);
  const expr = `$amountClose(left.\`${left}\`, right.\`${right}\`, 0)`;
  return {
    name,
    leftDatasetId,
    rightDatasetId,
    engine: 'jsonata-batch' as const,
    params: {
      Tmatch: 1,
      Tpossible: 0.5,
      assignment: 'one_to_one' as const,
      matchers: [{ id: 'amount', name: 'Amount', expr, weight: 1 }],
      blocking: { amountKeyLeft: left, amountKeyRight: right, amountTolerance: 0 },
    },
  };
}

/** Makes a reconciliation of two datasets with rules that are learnt from their records. */
export async function makeReconciliation(wanted: WantedReconciliation): Promise<MadeReconciliation> {
  const learnt = await learnRules(wanted);
  const body = learnt ? (learnt.rule_set as never) : await plainRules(wanted);
  const ruleSet = await tieout.createRuleSet({ body });
  const { name, leftDatasetId, rightDatasetId } = wanted;
  try {
    const { id } = await tieout.createReconciliation({
      body: {
        name,
        leftDatasetIds: [leftDatasetId],
        rightDatasetIds: [rightDatasetId],
        ruleSetIds: [ruleSet.id],
        // Its days, those until which items are snoozed among them, are those of the person who makes it.
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    });
    await queryClient.invalidateQueries({ queryKey: ['reconciliations'] });
    return { id, isLearnt: learnt !== undefined };
  } catch (error) {
    // The rules are of no use without it.
    await tieout.deleteRuleSet({ path: { id: ruleSet.id } }).catch(() => undefined);
    throw asTieoutError(error);
  }
}
