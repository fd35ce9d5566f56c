import { isObject, parse } from './row';

/** The place of the rows in a JSON text. */
export interface RowPlace {
  /** Names of the objects that lead to the list of rows; [] for a top-level list or the top-level values. */
  path: string[];
  /** Names of the columns beside lists of values. */
  columns: string[] | null;
  /** Paths of lists that lie inside of an object, which is one row. */
  nested: string[];
  /** The shape of nested records that are still read as one row. */
  shape?: RecordShape;
}

/** Lists of values by column, records by name, and a list of records in the only element of a list. */
export type RecordShape = 'columns' | 'named' | 'inside';

const maxDepth = 4;

/** Names of what surrounds the rows of an answer, without signs. */
const wrapping: ReadonlySet<string> = new Set(
  (
    'page pages pagesize perpage limit offset total totals totalcount totalpages totalrecords totalelements ' +
    'totalitems ' +
    'totalresults count size next previous prev first last nextcursor nextpage nextpagetoken cursor hasmore ' +
    'hasnext links ' +
    'meta metadata pagination paging pageinfo status statuscode success ok code message error errors warnings ' +
    'requestid ' +
    'version apiversion timestamp generatedat exportedat createdat object url self href range majordimension ' +
    'odatacontext odatacount odatanextlink took schema columns fields header headers info query filter filters sort ' +
    'kind etag index time startposition maxresults fault'
  ).split(' '),
);
const isWrapping = (name: string): boolean => wrapping.has(name.replace(/[^A-Za-z]/g, '').toLowerCase());

/**
 * Finds the rows of a JSON text. An object is a row, unless it only wraps a list of rows: beside that list it holds
 * nothing but what surrounds rows, such as the number of pages. Of an object that goes beyond the sample, the rows are
 * the list in which the sample ends, because no row is that long.
 */
export function rowPlace(text: string, isWhole: boolean): RowPlace {
  const none = { path: [], columns: null, nested: [] };
  const value = isWhole ? parse(text) : null;
  if (Array.isArray(value) && value.length === 1 && isObject(value[0]) && deepLists(value[0], []).length === 1)
    return { ...none, shape: 'inside' };
  if (!text.trimStart().startsWith('{')) return none;
  if (!isWhole) return { ...none, path: openPath(text) };
  return isObject(value) ? placeIn(value, []) : none;
}

function placeIn(object: Record<string, unknown>, path: string[]): RowPlace {
  const own = Object.entries(object);
  const named = own.filter(([name, value]) => isRows(value) && !isWrapping(name));
  // Transactions are the rows of an object that has lists of transactions and of balances.
  const lists = named.length > 1 ? named.filter(([name]) => !balanceNames.test(name)) : named;
  const around = { object, rows: (lists[0]?.[1] as unknown[] | undefined)?.length ?? 0 };
  const others = own.filter(
    ([name, value]) =>
      !isRows(value) && !(isWrapping(name) && surrounds(name, value, around)) && !isAccount(name, value),
  );
  const filled = others.filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  const [list] = lists;
  if (lists.length === 1 && list !== undefined && filled.length === 0)
    return { path: [...path, list[0]], columns: columnsOf(object, list[1]), nested: [] };
  const [inner] = filled;
  if (
    lists.length === 0 &&
    filled.length === 1 &&
    inner !== undefined &&
    isObject(inner[1]) &&
    path.length < maxDepth
  ) {
    const place = placeIn(inner[1], [...path, inner[0]]);
    if (place.path.length > path.length + 1) return place;
  }
  const [empty] = others;
  if (lists.length === 0 && filled.length === 0 && empty !== undefined)
    return { path: [...path, empty[0]], columns: null, nested: [] };
  const shape = shapeOf(object);
  return {
    path: [],
    columns: null,
    nested: deepLists(object, path)
      .filter((deep) => !isWrapping(lastName(deep)))
      .sort((a, b) => Number(balanceNames.test(lastName(a))) - Number(balanceNames.test(lastName(b)))),
    ...(shape === null ? {} : { shape }),
  };
}

/** Names beside transactions, in answers of banks: the account, when it is an object, and its balances. */
const balanceNames = /^balances?$/i;
const isAccount = (name: string, value: unknown): boolean =>
  /^(?:account|balances?|_?links)$/i.test(name) && (isObject(value) || Array.isArray(value)) && !isRows(value);

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Returns the paths of the lists of records in an object, through objects and not through lists. */
function deepLists(object: Record<string, unknown>, path: readonly string[]): string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (isRows(value)) return [[...path, name].join('.')];
    return isObject(value) && path.length < maxDepth ? deepLists(value, [...path, name]) : [];
  });
}

/** Finds records that are no list: columns of values (`{"date": [1, 2], "amount": [3, 4]}`), or records by name. */
function shapeOf(object: Record<string, unknown>, depth = 0): RecordShape | null {
  const entries = Object.entries(object).filter(
    ([name, value]) => !isWrapping(name) && !(Array.isArray(value) && value.length === 0),
  );
  const values = entries.map(([, value]) => value);
  const [first] = values;
  if (values.length === 1) return isObject(first) && depth < maxDepth ? shapeOf(first, depth + 1) : null;
  const areColumns =
    Array.isArray(first) &&
    first.length > 1 &&
    values.every((value) => Array.isArray(value) && value.length === first.length && !isRows(value));
  if (areColumns) return 'columns';
  const keys = (value: unknown): string => (isObject(value) ? Object.keys(value).sort().join() : '');
  const areAlike =
    isObject(first) && Object.keys(first).length > 1 && values.every((value) => keys(value) === keys(first));
  if (!areAlike) return null;
  if (Object.keys(first).every((name) => /^\d+$/.test(name))) return 'columns';
  // Two parties of a document have one form as well: ids have digits.
  return values.length > 2 || entries.every(([name]) => /\d/.test(name)) ? 'named' : null;
}

/** Names that say where a page of an answer stands, without signs. */
const paging = /^(?:page.*|perpage|limit|offset|next.*|prev|previous|cursor|hasmore|hasnext|totalpages|count|size)$/;
const plainName = (name: string): string => name.replace(/[^A-Za-z]/g, '').toLowerCase();

/**
 * Returns whether a value beside rows belongs to the answer and not to a document: the number of a page, not an amount;
 * the status of the request, not that of an invoice.
 */
function surrounds(name: string, value: unknown, { object, rows }: Surroundings): boolean {
  const plain = plainName(name);
  if (value === null || typeof value === 'boolean') return true;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (plain === 'object') return text === 'list';
  if (/^(?:status|statuscode|code)$/.test(plain))
    return /^(?:\d{1,3}|ok|success|successful|succeeded|error)$/i.test(text);
  if (/^(?:count|size|limit|offset)$/.test(plain)) return /^\d+$/.test(text);
  if (!/^totals?$/.test(plain)) return true;
  const isPage = Object.keys(object).some((other) => paging.test(plainName(other)));
  return /^\d+$/.test(text) && (Number(text) === rows || (isPage && Number(text) > rows));
}

/** Returns whether a value next to a list is response metadata, such as a page or a total, not data of its rows. */
export const isSurrounding = (name: string, value: unknown): boolean =>
  isWrapping(name) &&
  (/^totals?$/.test(plainName(name)) ? /^\d+$/.test(String(value)) : surrounds(name, value, nothing));

const nothing: Surroundings = { object: {}, rows: 0 };

interface Surroundings {
  object: Record<string, unknown>;
  /** The length of the list. */
  rows: number;
}

/** Returns whether a value is a list of objects, or of lists. */
function isRows(value: unknown): value is unknown[] {
  return (
    Array.isArray(value) && value.length > 0 && (value.every(isObject) || value.every((item) => Array.isArray(item)))
  );
}

/** Returns the names that stand beside lists of values: `{"columns": ["a"], "data": [[1]]}`. */
function columnsOf(object: Record<string, unknown>, list: unknown): string[] | null {
  const [first] = list as unknown[];
  if (!Array.isArray(first)) return null;
  for (const name of ['columns', 'fields', 'headers', 'header']) {
    const names = object[name];
    if (!Array.isArray(names) || names.length !== first.length) continue;
    const texts = (names as unknown[]).map((entry) => (isObject(entry) ? (entry.name ?? entry.id) : entry));
    if (texts.every((text) => typeof text === 'string')) return texts;
  }
  return null;
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Returns the names of the objects around the outermost list that is open at the end of a text. */
function openPath(text: string): string[] {
  const open: { isList: boolean; key: string }[] = [];
  let last = '';
  let key = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      open.push({ isList: token === '[', key });
      key = '';
    } else if (token === '}' || token === ']') open.pop();
    else if (token === ':') key = last;
    else last = token;
  }
  const list = open.findIndex(({ isList }) => isList);
  if (list < 1) return [];
  return open.slice(1, list + 1).map((container) => String(parse(container.key)));
}
