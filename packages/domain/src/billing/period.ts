import { invalid, type FieldError } from '@tieout/infra';

/** Months as YYYY-MM, both included. */
export interface UsageRange {
  periodFrom?: string | undefined;
  periodTo?: string | undefined;
}

const mostPeriods = 1_200;

export const periodOf = (date: Date): string => date.toISOString().slice(0, 7);

/** Months since year 0. */
const numberOf = (period: string): number => Number(period.slice(0, 4)) * 12 + Number(period.slice(5)) - 1;

function periodAt(number: number): string {
  const year = String(Math.floor(number / 12)).padStart(4, '0');
  return `${year}-${String((number % 12) + 1).padStart(2, '0')}`;
}

/**
 * Every month of the range, oldest first.
 * @param current the month that it is now; by default the range is this one and the twelve before it
 * @throws AppError validation_error: no month of the calendar, a range that is empty or longer than a hundred years
 */
export function periodsOf({ periodFrom, periodTo }: UsageRange, current: string): string[] {
  const faults = [...monthFault('periodFrom', periodFrom), ...monthFault('periodTo', periodTo)];
  if (faults.length > 0) throw invalid(faults);
  const to = numberOf(periodTo ?? current);
  const from = periodFrom === undefined ? numberOf(current) - 12 : numberOf(periodFrom);
  const path = '/query/periodFrom';
  if (from > to) {
    throw invalid([
      {
        path,
        code: 'period_order',
        message: `is ${periodAt(from)}, after periodTo (${periodAt(to)}): give an earlier month`,
      },
    ]);
  }
  if (to - from >= mostPeriods)
    throw invalid([{ path, code: 'period_range', message: `must be less than ${mostPeriods} months before periodTo` }]);
  return Array.from({ length: to - from + 1 }, (_, i) => periodAt(from + i));
}

function monthFault(name: keyof UsageRange, period: string | undefined): FieldError[] {
  if (period === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(period)) return [];
  return [{ path: `/query/${name}`, code: 'period', message: 'must be a month as YYYY-MM, from 01 to 12' }];
}
