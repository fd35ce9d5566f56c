import type { InfiniteData } from '@tanstack/react-query';
import type { Schema } from '../../api/client';

type OpenItem = Schema<'OpenItem'>;

/** A change of the annotations of items; null removes an annotation. */
export interface ItemChange {
  assignee?: string | null;
  reasonCode?: string | null;
  note?: string | null;
  snoozedUntil?: string | null;
  excluded?: { reasonCode: string; note?: string } | null;
}

interface ItemPage {
  items: OpenItem[];
}

export type ItemPages = InfiniteData<ItemPage>;

/** Returns an item after a change, or null when it leaves the list. */
function changed(item: OpenItem, set: ItemChange): OpenItem | null {
  if (set.excluded !== undefined) return null;
  return {
    ...item,
    ...(set.assignee !== undefined && { assignee: set.assignee }),
    ...(set.reasonCode !== undefined && { reason_code: set.reasonCode }),
    ...(set.note !== undefined && { note: set.note }),
    ...(set.snoozedUntil !== undefined && { snoozed_until: set.snoozedUntil }),
  };
}

/** Returns whether a change leaves an item other than it is. */
export const isChangedBy = (item: OpenItem, set: ItemChange): boolean =>
  JSON.stringify(changed(item, set)) !== JSON.stringify(item);

/** Returns the pages of a list after some items were changed or dropped. Other items keep their places. */
export function withChange(
  data: ItemPages | undefined,
  ids: ReadonlySet<string>,
  set: ItemChange,
): ItemPages | undefined {
  if (data === undefined) return undefined;
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.flatMap((item) => {
      const next = ids.has(item.record_id) ? changed(item, set) : item;
      return next === null ? [] : [next];
    }),
  }));
  return { ...data, pages };
}

const annotations = ['assignee', 'reasonCode', 'note', 'snoozedUntil'] as const;

/** A form of annotations: an empty text is none. */
export type AnnotationForm = Record<(typeof annotations)[number], string>;

/** Reads a form for several items. An empty field changes nothing or, with `clears`, removes the annotation. */
export function changeOf(given: AnnotationForm, clears: boolean): ItemChange {
  return changeTo(given, (name) => clears || given[name] !== '');
}

/** Reads a form that showed the annotations of one item. What was left as it was shown keeps what others have set. */
export function editOf(given: AnnotationForm, shown: AnnotationForm): ItemChange {
  return changeTo(given, (name) => given[name] !== shown[name]);
}

const changeTo = (given: AnnotationForm, isSet: (name: keyof AnnotationForm) => boolean): ItemChange =>
  Object.fromEntries(annotations.filter(isSet).map((name) => [name, given[name] || null]));

/** Returns the day that it is in a time zone, YYYY-MM-DD: an item cannot be snoozed until an earlier one. */
export function todayIn(timezone: string, now = new Date()): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return ['year', 'month', 'day'].map((type) => parts.get(type as 'year')).join('-');
}
