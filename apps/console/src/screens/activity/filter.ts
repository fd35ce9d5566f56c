import type { Input } from '@tieout/client';
import { filter, kinds, type Filters } from '../../parts/read-filters';
import type { Formats, Texts } from '../../text';

export type AuditQuery = NonNullable<Input<'listAudit'>['query']>;

export const actorTypes = ['user', 'key', 'agent', 'job', 'operator'] as const;

/** Returns the moment at which a day, or the day after it, begins in the reader's time zone. */
function startOf(day: string, isNext = false): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + (isNext ? 1 : 0)).toISOString();
}

/** The filters of the screen. */
export const filtersOf = ({ activity: texts, frame }: Texts, formats: Formats): Filters<AuditQuery> => ({
  object: filter({
    label: texts.object,
    kind: kinds.words,
    ask: (objectType) => ({ objectType }),
    shown: (type) => texts.objects[type] ?? type,
  }),
  id: filter({ label: texts.id, kind: kinds.words, ask: (objectId) => ({ objectId }) }),
  actor: filter({ label: texts.by, kind: kinds.words, ask: (actor) => ({ actor }) }),
  by: filter({
    label: texts.actorType,
    kind: kinds.oneOf(actorTypes),
    ask: (actorType) => ({ actorType }),
    shown: (type) => texts.actorTypes[type],
  }),
  action: filter({ label: texts.action, kind: kinds.words, ask: (action) => ({ action }) }),
  from: filter({ label: frame.from, kind: kinds.day, ask: (day) => ({ from: startOf(day) }), shown: formats.day }),
  to: filter({ label: frame.to, kind: kinds.day, ask: (day) => ({ to: startOf(day, true) }), shown: formats.day }),
});
