import { tableLines } from '../tools/table.mjs';

/** A number of seconds with a unit that keeps three digits before or behind the point. */
export function duration(seconds) {
  if (seconds >= 0.9995) return `${seconds.toFixed(2)} s`;
  if (seconds >= 0.0009995) return `${threeDigits(seconds * 1e3)} ms`;
  if (seconds >= 0.0000009995) return `${threeDigits(seconds * 1e6)} µs`;
  return `${threeDigits(seconds * 1e9)} ns`;
}

const threeDigits = (value) => value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
export const whole = (value) => Math.round(value).toLocaleString('en');
/** A speed-up as text. */
export const times = (ratio) => `${threeDigits(ratio)}x`;
/**
 * Formats a share of the reference's time, with enough digits that a value just beyond its goal does not look equal.
 */
export const share = (ratio) => ratio.toFixed(3);
const limitText = ({ atLeast, atMost, show }) => (atLeast === undefined ? `<= ${show(atMost)}` : `>= ${show(atLeast)}`);
const isMet = ({ atLeast = -Infinity, atMost = Infinity, measured }) => measured >= atLeast && measured <= atMost;

const headings = ['what', 'product', 'reference', 'ratio', 'goal', ''];

/**
 * Collects what the parts measure: comparisons with their goals, notes, and the peak memory of processes. Each line is
 * printed at once and kept for the end.
 *
 * @param {(line: string) => void} say
 */
export function createReport(say) {
  const sections = [];
  const peaks = new Map();
  const sayRows = (rows) => {
    for (const line of tableLines(
      headings.map((title, i) => ({ title, right: i > 0 && i < 4 })),
      rows,
    ))
      say(line);
  };
  return {
    /** Tells who waits what is being measured. */
    announce: (text) => say(`\nMeasuring ${text} …`),
    /** Starts a part. */
    section(title) {
      sections.push({ title, rows: [], notes: [], goals: [] });
      say(`\n${title}`);
    },
    /**
     * One line: both absolute figures, their ratio, and the goal if there is one.
     *
     * @param {{ what: string, product?: string, reference?: string, measured?: number, show?: (n: number) => string,
     *   atLeast?: number, atMost?: number }} line
     */
    compare({ what, product = '', reference = '', measured, show = times, ...limits }) {
      const section = sections.at(-1);
      const hasGoal = limits.atLeast !== undefined || limits.atMost !== undefined;
      const goal = hasGoal ? { ...limits, show, measured } : null;
      const met = goal === null ? '' : isMet(goal) ? 'met' : 'NOT MET';
      section.rows.push([
        what,
        product,
        reference,
        measured === undefined ? '' : show(measured),
        goal === null ? '' : limitText(goal),
        met,
      ]);
      if (goal !== null)
        section.goals.push({
          part: section.title.slice(0, 3),
          what,
          product,
          reference,
          ratio: show(measured),
          goal: limitText(goal),
          met,
        });
    },
    note(text) {
      sections.at(-1).notes.push(text);
    },
    /** Says the lines of the part. */
    finish() {
      const { rows, notes } = sections.at(-1);
      if (rows.length > 0) sayRows(rows);
      for (const text of notes) say(`  ${text}`);
    },
    peak(name, mib) {
      if (mib !== null) peaks.set(name, Math.max(peaks.get(name) ?? 0, mib));
    },
    peaks: () => [...peaks].map(([name, mib]) => ({ name, mib })),
    sections: () => sections,
    goals: () => sections.flatMap(({ goals }) => goals),
  };
}
