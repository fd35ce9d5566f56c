import type { Suggestion } from '@tieout/engine';
import { invalid, newId } from '@tieout/infra';
import { requireRoom } from '../access/quotas';
import { readPage, type Page, type PageRequest } from '../kernel/paging';
import type { TenantScope } from '../kernel/scope';
import { cancelInquiry, enqueueInquiry, inquiryNotFound, suggestionInquiry, trainingInquiry } from '../inquiries';
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
 * @throws AppError validation_error: unknown datasets; too_many_jobs
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
    const inquiry = row.ruleSetId === null ? suggestionInquiry : trainingInquiry;
    await tx.db.afterCommit(() => enqueueInquiry(scope, inquiry, id));
    return getSuggestion(tx, id);
  });
}

/** @throws AppError suggestion_not_found */
export async function getSuggestion({ db }: Pick<TenantScope, 'db'>, id: string): Promise<SuggestionView> {
  const row = await db.orm.suggestion.findFirst({ where: { id } });
  if (!row) throw inquiryNotFound(suggestionInquiry);
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

/** @throws AppError suggestion_not_found, job_not_running */
export const cancelSuggestion = (scope: TenantScope, id: string): Promise<void> =>
  cancelInquiry(scope, suggestionInquiry, id);
