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

const inOrderOf = (key) => (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);

function numbered(random, records, day, idOf) {
  const inOrder = random.shuffle(records).sort(inOrderOf(day));
  inOrder.forEach((record, index) => (record.id = idOf(index + 1)));
  return inOrder;
}

const idWith = (prefix, digits) => (number) => `${prefix}${String(number).padStart(digits, '0')}`;

/**
 * Collects invoices, bank lines and card purchases, and what belongs together. They get their ids in the end, in the
 * order of their days.
 */
export function openBook(random) {
  const book = { invoices: [], lines: [], purchases: [], pairs: [], composites: [] };
  const kept = (list, record) => {
    list.push(record);
    return record;
  };
  return {
    invoice: (details) => kept(book.invoices, { id: '', terms: 'net', status: 'open', ...details }),
    /** `text` may be a function: it is called when invoices have their numbers. */
    line: (details) => kept(book.lines, { id: '', account: '', part: '', ...details }),
    purchase: (details) => kept(book.purchases, { id: '', ...details }),
    pair: (invoice, line, scenario) => book.pairs.push({ invoice, line, scenario }),
    /**
     * One record and those that add up to it. `outcome`: what can be told from the data, a MATCH or something to look
     * at.
     */
    composite: (scenario, outcome, target, members) => book.composites.push({ scenario, outcome, target, members }),
    close() {
      const invoices = numbered(random, book.invoices, 'issuedOn', idWith('INV-2025-', 5));
      const lines = numbered(random, book.lines, 'bookedOn', idWith('BL-', 6));
      const purchases = numbered(random, book.purchases, 'bookedOn', idWith('CP-', 5));
      for (const line of lines) line.text = typeof line.text === 'function' ? line.text() : line.text;
      const pairs = book.pairs.sort((a, b) => inOrderOf('id')(a.invoice, b.invoice) || inOrderOf('id')(a.line, b.line));
      const composites = book.composites.sort((a, b) => inOrderOf('id')(a.target, b.target));
      for (const { members } of composites) members.sort(inOrderOf('id'));
      return { invoices, lines, purchases, pairs, composites };
    },
  };
}
