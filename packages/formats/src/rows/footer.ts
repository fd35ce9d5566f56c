import { cellText } from '../columns/cells';
import { footerWindow } from '../columns/clear-footer';
import { footerOf, totalsWarning, type FooterRow } from '../columns/footer';
import type { Detected, FileRow, ReadingRemedy, ReadingWarning, RowBatch } from '../types';

/** Batches that are held back at most: rows of them may be long. */
const maxHeld = 8;

/**
 * Leaves out the rows below a table, which only the end of the file shows: the last batches are held back. They become
 * one batch, so that a reading that resumes decides upon the same rows.
 */
export async function* withoutFooterRows(
  batches: AsyncIterable<RowBatch>,
  detected: Detected,
): AsyncGenerator<RowBatch> {
  if (detected.footer === false) {
    yield* batches;
    return;
  }
  const held: RowBatch[] = [];
  try {
    for await (const batch of batches) {
      held.push(batch);
      let rows = held.slice(1).reduce((sum, later) => sum + later.rows.length, 0);
      while (held.length > 1 && (rows >= footerWindow || held.length > maxHeld)) {
        yield held.shift() as RowBatch;
        rows -= held[0]?.rows.length ?? 0;
      }
    }
  } catch (error) {
    yield* held;
    throw error;
  }
  const last = held.at(-1);
  if (last === undefined) return;
  const rows = held.flatMap((batch) => batch.rows);
  const table: FooterRow[] = rows.map(({ line, data }) => ({
    line,
    cells: (detected.headers ?? []).map((name) => data[name]),
  }));
  const { clear, doubtful } = footerOf(table);
  const first = detected.footer === true ? (doubtful[0] ?? clear[0]) : clear[0];
  const count = first === undefined ? rows.length : table.indexOf(first);
  yield {
    rows: rows.slice(0, count),
    rejected: held.flatMap((batch) => batch.rejected),
    next: last.next,
    warnings: [
      // A note may end without a line break.
      ...held.flatMap(({ warnings = [] }) =>
        warnings.filter(({ code }) => code !== 'file_cut' || count === rows.length),
      ),
      ...totalsWarning(detected.footer === undefined ? doubtful : []),
      ...(count === rows.length ? [] : [footerSkipped(rows.slice(count))]),
    ],
  };
}

const maxShown = 3;
const maxShownChars = 80;

function footerSkipped(rows: readonly FileRow[]): ReadingWarning {
  const shown = rows.slice(0, maxShown).map(({ data }) =>
    Object.values(data)
      .map(cellText)
      .filter((text) => text !== '')
      .join(' ')
      .slice(0, maxShownChars),
  );
  const one = rows.length === 1;
  const message =
    `${one ? 'Line' : 'Lines'} ${rows.map(({ line }) => line).join(', ')} below the table ` +
    `${one ? 'is a total or a note and was' : 'are totals or notes and were'} left out: ` +
    `${shown.map((text) => `"${text}"`).join(', ')}${rows.length > maxShown ? ' …' : ''}`;
  const remedies: ReadingRemedy[] = [{ option: 'footer', value: 'false' }];
  return { code: 'footer_skipped', column: null, message, count: rows.length, remedies };
}
