import type { Suggestion } from '@tieout/engine';
import { AppError, invalid, newId } from '@tieout/infra';
import { requireRoom } from '../access/quotas';
import { readPage, type Page, type PageRequest } from '../kernel/paging';
import type { TenantScope } from '../kernel/scope';
import type { JobStatus } from '../matching';
import { trainable, type TrainingAnswer } from './training';

export interface NewSuggestion {
  leftDatasetId: string;
  rightDatasetId: string;
  sampleLimit?: number | undefined;
}

export interface SuggestionView {
  id: string;
  leftDatasetId: string;
  rightDatasetId: string;
  /** 0 for a training, which reads pairs. */
  sampleLimit: number;
  /** Set for a training: the rule set that it refits. */
  ruleSetId: string | null;
  status: JobStatus;
  /** 0..1 */
  progress: number;
  error: { code: string; message: string } | null;
  /** Null until the suggestion is completed. */
  answer: Suggestion | TrainingAnswer | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

const defaultSampleLimit = 20_000;

/**
 * Starts the search for a rule set that matches two datasets. Nothing but its answer is stored.
 * @throws AppError validation_error: unknown datasets, one dataset on both sides; too_many_jobs
 */
export async function startSuggestion(scope: TenantScope, input: NewSuggestion): Promise<SuggestionView> {
  const { leftDatasetId, rightDatasetId, sampleLimit = defaultSampleLimit } = input;
  const known = await scope.db.orm.dataset.findMany({
    where: { id: { in: [leftDatasetId, rightDatasetId] } },
    select: { id: true },
  });
  const unknown = (['leftDatasetId', 'rightDatasetId'] as const).filter(
    (key) => !known.some(({ id }) => id === input[key].toLowerCase()),
  );
  if (unknown.length > 0)
    throw invalid(unknown.map((key) => ({ path: `/${key}`, code: 'unknown_dataset', message: 'names no dataset' })));
  if (leftDatasetId.toLowerCase() === rightDatasetId.toLowerCase())
    throw invalid([
      { path: '/rightDatasetId', code: 'same_dataset', message: 'must be another dataset than the left' },
    ]);
  return begin(scope, { leftDatasetId, rightDatasetId, sampleLimit, ruleSetId: null });
}

/**
 * Starts to refit a rule set to its reviewed pairs. Nothing but the answer is stored.
 * @throws AppError rule_set_not_found; conflict without live results or with too few reviews; too_many_jobs
 */
export async function startTraining(scope: TenantScope, ruleSetId: string): Promise<SuggestionView> {
  const { leftDatasetId, rightDatasetId, id } = (await trainable(scope, ruleSetId)).ruleSet;
  return begin(scope, { leftDatasetId, rightDatasetId, sampleLimit: 0, ruleSetId: id });
}

function begin(
  scope: TenantScope,
  row: Pick<SuggestionView, 'leftDatasetId' | 'rightDatasetId' | 'sampleLimit' | 'ruleSetId'>,
): Promise<SuggestionView> {
  const id = newId();
  return scope.transaction(async (tx) => {
    await requireRoom(tx, 'jobs');
    await tx.db.orm.suggestion.create({ data: { id, tenantId: tx.tenantId, ...row } });
    await tx.db.afterCommit(() => enqueueSearch(scope, { id, ruleSetId: row.ruleSetId }));
    return getSuggestion(tx, id);
  });
}

/** The id of the queue job of a suggestion: it has one at most. */
export const searchJobId = (id: string): string => `suggestion-${id}`;

/** A version without trainings must not take one for a search: its queue job has another name. */
export const searchJobOf = ({ ruleSetId }: { ruleSetId: string | null }): 'suggestion.search' | 'suggestion.train' =>
  ruleSetId === null ? 'suggestion.search' : 'suggestion.train';

export const enqueueSearch = (
  { queue, tenantId }: TenantScope,
  suggestion: { id: string; ruleSetId: string | null },
): Promise<void> =>
  queue.enqueue(
    searchJobOf(suggestion),
    { tenantId, suggestionId: suggestion.id },
    { jobId: searchJobId(suggestion.id) },
  );

const notFound = (): AppError => new AppError('suggestion_not_found', 'Suggestion not found');

/** @throws AppError suggestion_not_found */
export async function getSuggestion({ db }: Pick<TenantScope, 'db'>, id: string): Promise<SuggestionView> {
  const row = await db.orm.suggestion.findFirst({ where: { id } });
  if (!row) throw notFound();
  return row as unknown as SuggestionView;
}

type ListedSuggestion = Omit<SuggestionView, 'answer'>;

/** Lists suggestions, newest first, without their answers. */
export async function listSuggestions({ db }: TenantScope, page: PageRequest): Promise<Page<ListedSuggestion>> {
  return readPage(page, {
    count: () => db.orm.suggestion.count(),
    rows: async ({ skip, take, beforeId }) =>
      (await db.orm.suggestion.findMany({
        where: beforeId === undefined ? {} : { id: { lt: beforeId } },
        orderBy: { id: 'desc' },
        skip,
        take,
        omit: { answer: true },
      })) as unknown as ListedSuggestion[],
  });
}

/**
 * Cancels a suggestion that is queued or running; its worker notices it within a second or two.
 * @throws AppError suggestion_not_found, job_not_running
 */
export async function cancelSuggestion(scope: TenantScope, id: string): Promise<void> {
  const count = await scope.db.execute(
    `update suggestions set status = 'cancelled', finished_at = now()
      where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')`,
    [scope.tenantId, id],
  );
  if (count > 0) return;
  const { status } = await getSuggestion(scope, id);
  throw new AppError('job_not_running', `Only a running suggestion can be cancelled; this one is ${status}`);
}
