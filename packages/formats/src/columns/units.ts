import { limits } from '../limits';
import type { ReadingWarning } from '../types';
import { decimalEvidence, isNoValue } from './amounts';
import { areFew } from './cells';
import { monthNamed } from './calendar-names';
import { isIdentifierName } from './identifiers';

/** Letters right behind a number are a unit only if they are small: `12kg`, but `123ABC`. */
const numberWithUnit = /^([-+]?[\d.,'’ \u00a0]*\d)(?:\s?([%‰°]|\p{Ll}{1,8})|\s(\p{L}{1,8}))\.?$/u;
/** Units of one letter. Other single letters are more likely part of an identifier, as in `12a`. */
const shortUnits = /^(?:[%‰°]|h|m|g|l|t)$/i;
const halfDay = /^[ap]m$/i;

/** Finds columns of numbers with a unit: `12,5 %`, `3 pcs`. */
export class UnitColumn {
  private others = 0;
  private found = 0;
  private example = '';
  private readonly units = new Set<string>();

  constructor(private readonly name: string) {}

  add(value: string): void {
    if (isNoValue(value)) return;
    const text = value.trim();
    const unit = unitOf(text);
    if (unit === null) this.others++;
    else {
      this.found++;
      this.example ||= text;
      this.units.add(unit.toLowerCase().replace(/s$/, ''));
    }
  }

  /** A value of the column; null where most values have no unit, or several ones. */
  get verdict(): string | null {
    const isUnit = this.found > 1 && this.units.size === 1 && areFew(this.others, this.found);
    return isUnit && !isIdentifierName(this.name) ? this.example : null;
  }
}

function unitOf(text: string): string | null {
  if (text.length > limits.valueChars) return null;
  const [, number = '', near, apart] = numberWithUnit.exec(text) ?? [];
  const unit = near ?? apart ?? '';
  const isUnit = (unit.length > 1 || shortUnits.test(unit)) && !halfDay.test(unit) && monthNamed(unit) === undefined;
  return isUnit && decimalEvidence(number) !== 'no number' ? unit : null;
}

export function unitsWarning(column: string, example: string, isLocal: boolean | undefined): ReadingWarning {
  const message =
    `Values such as "${example}" have a unit, so the column stays text. ` +
    (isLocal
      ? 'Write the unit into the name of the column'
      : 'A field with an expression makes numbers of them, or write the unit into the name of the column and upload ' +
        'the file again');
  return { code: 'column_with_units', column, message };
}
