import { TieoutError } from '@tieout/client';
import type { Texts } from './catalog';

type Labels = Readonly<Record<string, string>>;

/** The labels on the page of the parts of requests, by the last name of their paths. */
const labelsOf = (texts: Texts): Labels => {
  const { activity, close, exceptions, frame, importing, overview, rules, runs, settings, suggestions } = texts;
  const { workbench } = texts;
  return {
    action: activity.action,
    actor: activity.by,
    actorType: activity.actorType,
    amount: workbench.amount,
    amountMax: workbench.amountMax,
    amountMin: workbench.amountMin,
    amountTolerance: rules.tolerance,
    amountTolerancePercent: rules.tolerancePercent,
    assignee: exceptions.assignee,
    code: settings.reasons.code,
    cron: runs.schedule,
    currency: close.currency,
    dataset: importing.dataset,
    date: exceptions.date,
    dateFrom: workbench.dateFrom,
    dateTo: workbench.dateTo,
    delimiter: importing.options.delimiter,
    email: settings.users.email,
    encoding: importing.options.encoding,
    expiresAt: settings.keys.expires,
    file: importing.file,
    from: frame.from,
    label: settings.reasons.label,
    leftDatasetIds: overview.sides.left,
    maxGroupSize: rules.maxGroupSize,
    minAgeDays: workbench.minAgeDays,
    minScore: suggestions.minScore,
    name: overview.name,
    note: workbench.note,
    objectId: activity.id,
    objectType: activity.object,
    password: texts.signIn.password,
    period: close.month,
    q: workbench.search,
    quietSeconds: runs.quiet,
    reasonCode: workbench.reason,
    rightDatasetIds: overview.sides.right,
    role: settings.users.role,
    sheet: importing.options.sheet,
    secret: settings.webhooks.secret,
    side: exceptions.side,
    snoozedUntil: exceptions.snoozeUntil,
    sort: workbench.sort,
    timezone: runs.timezone,
    Tmatch: rules.tMatch,
    to: frame.to,
    Tpossible: rules.tPossible,
    url: settings.webhooks.url,
    windowDays: rules.windowDays,
  };
};

/** Returns the last name of a path: the places in lists name nothing that a page shows. */
const nameOf = (path: string): string =>
  path
    .split('/')
    .filter((part) => !/^\d+$/.test(part))
    .at(-1) ?? '';

/** Returns whether the service may have done what it was asked, or not: no answer of its own came. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof TieoutError &&
  (error.code === 'no_answer' || (error.code === 'no_tieout_answer' && error.status >= 500));

const pointer = /^((?:\/[^/\s:]+)+): /;

/**
 * Returns a message of the service for people. It may begin with the path of the field that it is about: the label of
 * the field stands in its place, or nothing where the page shows no such field.
 *
 * @param own labels of the page, by the last name of a path, before those that all pages share
 */
export function plainText(message: string, texts: Texts, own: Labels = {}): string {
  const labels = new Map(Object.entries({ ...labelsOf(texts), ...own }));
  return message.replace(pointer, (_, path: string) => {
    const label = labels.get(nameOf(path));
    return label === undefined ? '' : `${label}: `;
  });
}

/** Returns what an error says to people, with labels as `plainText` has them. */
export const refusalText = (refusal: TieoutError, texts: Texts, own: Labels = {}): string =>
  isUnanswered(refusal) ? texts.frame.noAnswer : plainText(refusal.message, texts, own);
