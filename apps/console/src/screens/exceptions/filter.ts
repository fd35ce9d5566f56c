import type { OpenItemQuery } from '../../api/open-items';
import { filter, kinds, type Filters } from '../../parts/read-filters';
import type { Formats, Texts } from '../../text';

interface Reader {
  formats: Formats;
  /** The names of the two sides. */
  sides: Readonly<Record<'left' | 'right', string>>;
  /** The name of the person who reads. */
  me: string;
}

/** The filters of the open items. Those that are snoozed are left out by default. */
export interface ExceptionFilter extends Omit<OpenItemQuery, 'snoozed'> {
  snoozed?: 'only' | 'any';
}

/** Reads the filters of the open items. */
export function filtersOf({ exceptions: texts }: Texts, { formats, sides, me }: Reader): Filters<ExceptionFilter> {
  const assignees: Readonly<Record<string, string>> = { me: texts.mine, none: texts.nobody };
  return {
    q: filter({ label: texts.search, kind: kinds.words, ask: (q) => ({ q }) }),
    side: filter({
      label: texts.side,
      kind: kinds.oneOf(['left', 'right'] as const),
      ask: (side) => ({ side }),
      shown: (side) => sides[side],
    }),
    who: filter({
      label: texts.who,
      kind: kinds.words,
      ask: (who): ExceptionFilter => (who === 'none' ? { assigned: false } : { assignee: who === 'me' ? me : who }),
      shown: (who) => assignees[who] ?? who,
    }),
    explained: filter({
      label: texts.explained,
      kind: kinds.oneOf(['yes', 'no'] as const),
      ask: (explained) => ({ explained: explained === 'yes' }),
      shown: (explained) => (explained === 'yes' ? texts.explainedYes : texts.explainedNo),
    }),
    minAge: filter({
      label: texts.age,
      kind: kinds.days,
      ask: (minAgeDays) => ({ minAgeDays }),
      chip: (days) => texts.olderThan(formats.counted(days)),
    }),
    snoozed: filter({
      label: texts.snoozed,
      kind: kinds.oneOf(['only', 'any'] as const),
      ask: (snoozed) => ({ snoozed }),
      chip: (snoozed) => texts.snoozedChoices[snoozed],
    }),
    upTo: filter({
      label: texts.date,
      kind: kinds.day,
      ask: (upTo) => ({ upTo }),
      chip: (day) => texts.upTo(formats.day(day)),
    }),
    state: filter({
      label: texts.state,
      kind: kinds.oneOf(['excluded']),
      ask: () => ({ excluded: true }),
      chip: () => texts.excludedOnly,
    }),
  };
}

/** Returns the query of the list, the oldest items first. */
export function queryOf({ snoozed, ...filter }: ExceptionFilter, isLate: boolean): OpenItemQuery {
  const isAny = snoozed === 'any' || (snoozed === undefined && filter.excluded === true);
  return {
    ...filter,
    ...(isAny ? {} : { snoozed: snoozed === 'only' }),
    ...(isLate && { late: true }),
    sort: '-age',
  };
}
