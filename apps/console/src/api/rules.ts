import type { RequestFault } from '@tieout/client';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { asTieoutError, queryClient, tieout, type Schema } from './client';
import { everyPage } from './pages';

export type PassRules = Schema<'RuleSet'>;
export type RuleParams = Schema<'RuleSetParams'>;
export type MatcherRule = Schema<'Matcher'>;
export type BlockingForm = Schema<'Blocking'>;
export type BlockingRuleForm = Schema<'BlockingRule'>;
export type CompositionForm = Schema<'Composition'>;
export type PreviewedPair = Schema<'Preview'>['results'][number];
export type RecordData = Record<string, unknown>;

/** A rule set as it is edited. */
export interface RulesDraft {
  name: string;
  engine: PassRules['engine'];
  jsonataExpr: string | null;
  params: RuleParams;
}

/** A fault with its position in an expression, where the service names one. */
export interface PlacedFault extends RequestFault {
  position?: number;
}

/** The rule sets of a reconciliation, in the order of its passes. */
export const usePasses = (ids: readonly string[]) =>
  useQuery({
    queryKey: ['rule-sets', ids],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => tieout.getRuleSet({ path: { id }, signal }))),
    placeholderData: keepPreviousData,
  });

/** All rule sets, to add one as a pass. */
export const useRuleSets = () =>
  useQuery({
    queryKey: ['rule-sets'],
    queryFn: ({ signal }) => everyPage((page) => tieout.listRuleSets({ query: { limit: 100, page }, signal })),
  });

/** The request body of a draft, for operations that store nothing. */
export const draftBody = (
  { engine, jsonataExpr, params }: RulesDraft,
  { left_dataset_id, right_dataset_id }: PassRules,
) => ({
  engine,
  leftDatasetId: left_dataset_id,
  rightDatasetId: right_dataset_id,
  params,
  ...(jsonataExpr === null ? {} : { jsonataExpr }),
});

export const pairsShown = 100;

/** A pair of stored records. */
export interface PairOfIds {
  left: string;
  right: string;
}

const scoresOf = (draft: RulesDraft, pass: PassRules, pairs: readonly PairOfIds[]) =>
  queryOptions({
    queryKey: ['scores', pass.id, draft, pairs],
    queryFn: ({ signal }) => {
      const from = pairs.length > 0 ? { recordPairs: [...pairs] } : { sample: { limit: pairsShown } };
      return tieout.previewRuleSet({ body: { ruleSet: draftBody(draft, pass), ...from }, signal });
    },
    gcTime: 0,
  });

/** Scores the given pairs by the draft, or pairs of the newest records when none are given. */
export const useScores = (draft: RulesDraft, pass: PassRules, pairs: readonly PairOfIds[], isAllowed: boolean) =>
  useQuery({ ...scoresOf(draft, pass, pairs), enabled: isAllowed, placeholderData: keepPreviousData });

/** Scores pairs once, like `useScores`, or takes the scores that are known. */
export const readScores = async (draft: RulesDraft, pass: PassRules, pairs: readonly PairOfIds[]) =>
  (await queryClient.fetchQuery(scoresOf(draft, pass, pairs))).results;

export const faultsOf = (error: Error | null): PlacedFault[] =>
  error === null ? [] : [...asTieoutError(error).errors];

/** Reads a record as expressions read it: its data, overlaid with its fields. */
async function recordForExpressions(id: string): Promise<RecordData> {
  const { data, fields } = await tieout.getRecord({ path: { id } });
  return { ...data, ...fields };
}

export const useRecordForExpressions = (id: string | undefined) =>
  useQuery({
    queryKey: ['record-for-expressions', id],
    queryFn: () => recordForExpressions(id as string),
    enabled: id !== undefined,
    staleTime: 60_000,
  });

/** Scores one pair of records by the draft. */
export const usePairScore = (draft: RulesDraft, pass: PassRules, ids: PairOfIds | null) =>
  useQuery({
    queryKey: ['pair-score', pass.id, draft, ids],
    queryFn: async ({ signal }): Promise<PreviewedPair | undefined> => {
      const body = { ruleSet: draftBody(draft, pass), recordPairs: ids === null ? [] : [ids] };
      return (await tieout.previewRuleSet({ body, signal })).results[0];
    },
    enabled: ids !== null,
    placeholderData: keepPreviousData,
  });

/** The names that expressions may read from a side: its fields, and the keys of its last record. */
export const useFieldNames = (datasetId: string) =>
  useQuery({
    queryKey: ['field-names', datasetId],
    queryFn: async ({ signal }): Promise<string[]> => {
      const path = { id: datasetId };
      const fields = await tieout.listDatasetFields({ path, signal });
      const { sample } = await tieout.getDatasetSample({ path, signal }).catch(() => ({ sample: null }));
      return [...new Set([...fields.map(({ key }) => key), ...Object.keys(sample ?? {})])];
    },
    staleTime: 60_000,
  });

/**
 * Stores a draft in place of a version, which is the newest that its person has seen.
 * @throws TieoutError conflict: somebody has stored another version since
 */
export async function saveRules(
  { id, version }: Pick<PassRules, 'id' | 'version'>,
  { name, engine, jsonataExpr, params }: RulesDraft,
): Promise<PassRules> {
  try {
    return await tieout.updateRuleSet({ path: { id }, body: { name, engine, jsonataExpr, params, version } });
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['rule-sets'] });
  }
}

export async function setPasses(reconciliationId: string, ruleSetIds: string[]): Promise<void> {
  await tieout.updateReconciliation({ path: { id: reconciliationId }, body: { ruleSetIds } });
  await queryClient.invalidateQueries({ queryKey: ['reconciliation', reconciliationId] });
}

export const useSuggestedRules = (id: string | null) =>
  useQuery({
    queryKey: ['rule-suggestion', id],
    queryFn: ({ signal }) => tieout.getSuggestion({ path: { id: id as string }, signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.status === 'queued' || state.data.status === 'running' ? 1_000 : false,
  });

export type SuggestedRules = Schema<'SuggestedRuleSet'>;
