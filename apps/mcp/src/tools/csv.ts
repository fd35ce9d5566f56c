/** Bytes of a table that are read: what an answer shows is far less. */
const maxBytes = 2_000_000;

/** The first rows of a table, and whether there are more. */
export interface FirstRows {
  rows: string[][];
  isMore: boolean;
}

/** Cuts the cells of a table that is separated by commas and quoted as RFC 4180 says, up to its last whole row. */
function rowsOf(text: string, isWhole: boolean): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found || (found[3] === '' && !isWhole)) break;
    row.push(found[1] === undefined ? (found[2] ?? '') : found[1].replaceAll('""', '"'));
    if (found[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Reads the first rows of a streamed table, and leaves the rest. */
export async function firstRows(body: ReadableStream<Uint8Array>, maxRows: number): Promise<FirstRows> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (value) {
      text += decoder.decode(value, { stream: true });
      bytes += value.byteLength;
    }
    const isEnough = bytes > maxBytes;
    if (!done && !isEnough) continue;
    if (!done) await reader.cancel();
    const rows = rowsOf(text, done);
    return { rows: rows.slice(0, maxRows), isMore: !done || rows.length > maxRows };
  }
}
