type Rows = readonly (readonly string[])[];

/** Rows below that a row is compared with. */
const nearRows = 20;
/** Values of a column that repeat are a vocabulary from this number of rows on. */
const minVocabulary = 4;

/** The ways in which a cell is written: with its digits alone left open, and with its letters left open too. */
interface CellForm {
  literal: string;
  shape: string | null;
}

/** Compares the rows of a sample with those below them: names are written in another way than the cells they name. */
export class Likeness {
  private readonly forms: (CellForm | null)[][];

  constructor(private readonly rows: Rows) {
    this.forms = rows.map(() => []);
  }

  /**
   * Decides what the cell of a row is, by the column below it: `row` if it is like the others (`INV-1` above `INV-2`,
   * or a word that is repeated below), `name` if its column repeats words but not this one, or null where nothing
   * decides.
   */
  of(at: number, column: number): 'row' | 'name' | null {
    const cell = (this.rows[at]?.[column] ?? '').trim();
    if (cell === '') return null;
    const words: string[] = [];
    let alike = 0;
    let repeated = 0;
    for (let below = at + 1; below < this.rows.length && words.length < nearRows; below++) {
      const other = (this.rows[below]?.[column] ?? '').trim();
      if (other === '') continue;
      words.push(other);
      if (other === cell && !this.isSameRow(at, below)) repeated++;
      else if (this.areAlike(at, below, column)) alike++;
    }
    if (repeated > 0 || (alike > 0 && alike * 2 >= words.length)) return 'row';
    return words.length >= minVocabulary && new Set(words).size * 2 <= words.length ? 'name' : null;
  }

  /** Returns whether a row is all in capitals, or has none, while most rows below it are written in another way. */
  hasOwnCase(at: number): boolean {
    const own = caseOf(this.rows[at] ?? []);
    if (own === 'mixed') return false;
    const below = this.rows.slice(at + 1, at + 1 + nearRows);
    return below.filter((cells) => caseOf(cells) === own).length * 2 < below.length;
  }

  private areAlike(at: number, below: number, column: number): boolean {
    const [own, other] = [this.formOf(at, column), this.formOf(below, column)];
    if (own === null || other === null) return false;
    return own.literal === other.literal || (own.shape !== null && own.shape === other.shape);
  }

  private isSameRow(at: number, below: number): boolean {
    const [own = [], other = []] = [this.rows[at], this.rows[below]];
    return own.every((cell, column) => cell === (other[column] ?? ''));
  }

  private formOf(row: number, column: number): CellForm | null {
    const known = this.forms[row] as (CellForm | null)[];
    return (known[column] ??= cellForm((this.rows[row]?.[column] ?? '').trim()));
  }
}

const maxFormChars = 100;
const minShapeChars = 4;

/** Returns how a cell with digits, or an address, is written; null for words alone. */
function cellForm(cell: string): CellForm | null {
  if (cell.length > maxFormChars) return null;
  const address = addressForm(cell);
  if (address !== null) return { literal: address, shape: null };
  if (!/\d/.test(cell)) return null;
  const isLong = cell.length >= minShapeChars && /\d.*\d/.test(cell);
  return { literal: cell.replace(/\d+/g, '0'), shape: isLong ? shapeOf(cell) : null };
}

/** Letters and digits of a code are one: `a3f5c9`. */
const shapeOf = (cell: string): string =>
  /\s/.test(cell) ? cell.replace(/\d/g, '0').replace(/\p{L}/gu, 'a') : cell.replace(/[\p{L}\d]/gu, 'x');

/** The form of mail, web and network addresses, whatever their length; null for another text. */
function addressForm(cell: string): string | null {
  if (/^[^\s@]+@[^\s@]+\.\w+$/.test(cell)) return '@';
  if (/^[a-z][a-z+.-]*:\/\/\S+$/i.test(cell)) return '//';
  return /^\d+(?:\.\d+){3}$/.test(cell) ? '0.0' : null;
}

function caseOf(cells: readonly string[]): 'upper' | 'lower' | 'mixed' {
  const text = cells.join(' ');
  const [upper, lower] = [text.toUpperCase() === text, text.toLowerCase() === text];
  return upper === lower ? 'mixed' : upper ? 'upper' : 'lower';
}
