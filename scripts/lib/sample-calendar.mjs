const dayMs = 86_400_000;
const firstDay = Date.UTC(2025, 0, 6);

const dayOf = (time) => Math.round((time - firstDay) / dayMs);

/** The sample's days count from Monday, 6 January 2025. */
export const dateText = (day) => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);

/** The day of a date; months count from 0, those from 12 on are in the next year. */
export const dayAt = (month, dayOfMonth) => dayOf(Date.UTC(2025, month, dayOfMonth));

/** The same day of the month `months` later, or the last day of a month that is shorter. */
export function monthsLater(day, months) {
  const date = new Date(firstDay + day * dayMs);
  const lastOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0));
  return dayOf(lastOfMonth.setUTCDate(Math.min(date.getUTCDate(), lastOfMonth.getUTCDate())));
}
