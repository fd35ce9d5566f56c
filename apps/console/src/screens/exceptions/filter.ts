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

/** The filters of the open items. */
export function filtersOf({ exceptions: texts }: Texts, { formats, sides, me }: Reader): Filters<OpenItemQuery> {
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
      ask: (who): OpenItemQuery => (who === 'none' ? { assigned: false } : { assignee: who === 'me' ? me : who }),
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
      kind: kinds.oneOf(['only']),
      ask: () => ({ snoozed: true }),
      chip: () => texts.snoozedOnly,
    }),
    state: filter({
      label: texts.state,
      kind: kinds.oneOf(['excluded']),
      ask: () => ({ excluded: true }),
      chip: () => texts.excludedOnly,
    }),
  };
}

/** The query of the list: the oldest items first, and snoozed ones only on demand. */
export const queryOf = (query: OpenItemQuery, isLate: boolean): OpenItemQuery => ({
  ...(query.excluded !== true && { snoozed: false }),
  ...(isLate && { late: true }),
  ...query,
  sort: '-age',
});
