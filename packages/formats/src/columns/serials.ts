/** Excel's day numbers for the years 1982 to 2064. */
const [firstDay, lastDay] = [30_000, 60_000];
const excelEpochMs = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;
/** Seconds of the years 2001 to 2065 since 1970, and milliseconds. */
const epoch = { minSeconds: 1_000_000_000, maxSeconds: 3_000_000_000 };
const dateColumnName = /date|datum|\bdata\b|fecha|buchung|valuta|wertstellung|vencimento|\bday\b|\btag\b|\bdia\b/i;

/** Returns whether the name of a column says that it holds dates. */
export const isDateName = (name: string): boolean => dateColumnName.test(name);

/** Matches names of columns that programs give to points in time. */
const timestampName = /(?:^|[^a-z])(?:created|updated|timestamp|time|available_on|posted|paid_at|arrival)(?:[^a-z]|$)/i;

/** Finds columns named like dates that hold numbers of days, as Excel writes them, or of seconds since 1970. */
export class SerialColumn {
  private example: string | null = null;
  private unit: 'day' | 'second' | 'millisecond' | null = null;
  private isSerial: boolean;

  constructor(name: string) {
    this.isSerial = isDateName(name) || timestampName.test(name);
  }

  add(value: string | number): void {
    const text = String(value).trim();
    if (!this.isSerial || text === '') return;
    const unit = unitOf(Number(text), /^\d{5,13}(?:\.\d+)?$/.test(text));
    this.isSerial = unit !== null && (this.unit === null || this.unit === unit);
    this.unit = unit;
    this.example ??= text;
  }

  /** A number of the column, and the day that it means. */
  get verdict(): { example: string; day: string; unit: 'day' | 'second' | 'millisecond' } | null {
    const { example, unit } = this;
    if (!this.isSerial || example === null || unit === null) return null;
    const ms =
      unit === 'day' ? excelEpochMs + Number(example) * dayMs : Number(example) * (unit === 'second' ? 1_000 : 1);
    return { example, unit, day: new Date(ms).toISOString().slice(0, 10) };
  }
}

function unitOf(number: number, isPlain: boolean): 'day' | 'second' | 'millisecond' | null {
  if (!isPlain) return null;
  if (number >= firstDay && number <= lastDay) return 'day';
  if (number >= epoch.minSeconds && number <= epoch.maxSeconds) return 'second';
  return number >= epoch.minSeconds * 1_000 && number <= epoch.maxSeconds * 1_000 ? 'millisecond' : null;
}
