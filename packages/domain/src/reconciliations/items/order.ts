import type { SortKind } from '../../kernel/keyset';
import type { OpenItemSort } from './types';

/** The order of a list of items `i`: a column that is indexed for each side, its type and its direction. */
export interface ItemOrder {
  sql: string;
  type: string;
  kind: SortKind;
  direction: 'asc' | 'desc';
}

const columns: Record<string, Omit<ItemOrder, 'direction'>> = {
  date: { sql: 'i.day_rank', type: 'date', kind: 'day' },
  amount: { sql: 'i.amount_rank', type: 'float8', kind: 'number' },
};

/** Returns the order of a sort. Old items have early dates. */
export function orderOf(sort: OpenItemSort): ItemOrder {
  const key = sort.replace('-', '');
  const isReversed = sort.startsWith('-') !== (key === 'age');
  return { ...(columns[key === 'age' ? 'date' : key] as ItemOrder), direction: isReversed ? 'desc' : 'asc' };
}
