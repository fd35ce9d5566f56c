/** Excel's day numbers for the years 1982 to 2064. */
const [firstDay, lastDay] = [30_000, 60_000];
const excelEpochMs = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;
const dateColumnName = /date|datum|\bdata\b|fecha|buchung|valuta|wertstellung|vencimento|\bday\b|\btag\b|\bdia\b/i;

/** Returns whether the name of a column says that it holds dates. */
export const isDateName = (name: string): boolean => dateColumnName.test(name);

/** Finds columns named like dates that hold day numbers, as Excel writes them where a cell lost its format. */
export class SerialColumn {
  private example: string | null = null;
  private isSerial: boolean;

  constructor(name: string) {
    this.isSerial = isDateName(name);
  }

  add(value: string): void {
    const text = value.trim();
    if (!this.isSerial || text === '') return;
    this.isSerial = /^\d{5}$/.test(text) && Number(text) >= firstDay && Number(text) <= lastDay;
    this.example ??= text;
  }

  /** A number of the column, and the day it means in Excel. */
  get verdict(): { example: string; day: string } | null {
    if (!this.isSerial || this.example === null) return null;
    return {
      example: this.example,
      day: new Date(excelEpochMs + Number(this.example) * dayMs).toISOString().slice(0, 10),
    };
  }
}
