import { tableLines } from '../../tools/table.mjs';
import { whole } from '../report.mjs';

export const shotColumns = ['what', 'requests/s', 'p50 ms', 'p99 ms', 'max ms', 'failed', 'goal', 'met'];

const goalText = ({ perSecond, p99Ms }) =>
  [perSecond === undefined ? '' : `>= ${whole(perSecond)}/s`, p99Ms === undefined ? '' : `p99 < ${whole(p99Ms)} ms`]
    .filter(Boolean)
    .join(', ');

const isMet = (shot, { perSecond = 0, p99Ms = Infinity }) =>
  shot.failed === 0 && shot.perSecond >= perSecond && shot.p99 < p99Ms;

/** Collects the measurements as rows of text. */
export function createLoadReport() {
  const shots = [];
  const notes = [];
  return {
    /** @param {{ perSecond?: number, p99Ms?: number }} goal */
    shot: (what, figures, goal) => shots.push({ what, figures, goal }),
    note: (text) => notes.push(text),
    notes: () => notes,
    met: () => shots.every(({ figures, goal }) => isMet(figures, goal)),
    rows: () =>
      shots.map(({ what, figures, goal }) => {
        const { perSecond, p50, p99, max, failed } = figures;
        const text = goalText(goal);
        return [
          what,
          whole(perSecond),
          String(p50),
          String(p99),
          String(max),
          String(failed),
          text,
          text === '' ? '' : isMet(figures, goal) ? 'met' : 'NOT MET',
        ];
      }),
    /** CPU time of a request by process; the first row names the processes. */
    cpuRows() {
      const names = [...new Set(shots.flatMap(({ figures }) => figures.cpuMs.map(({ name }) => name)))];
      const rows = shots.map(({ what, figures: { cpuMs } }) => {
        const used = names.map((name) => cpuMs.filter((of) => of.name === name).reduce((sum, { ms }) => sum + ms, 0));
        return [what, ...[...used, used.reduce((sum, ms) => sum + ms, 0)].map((ms) => ms.toFixed(3))];
      });
      return [['what', ...names, 'together'], ...rows];
    },
    lines() {
      const [cpuTitles, ...cpuRows] = this.cpuRows();
      const columns = (titles) => titles.map((title, i) => ({ title, right: i > 0 }));
      return [
        '',
        ...tableLines(columns(shotColumns), this.rows()),
        '',
        'CPU time of a request, ms, with all that it leaves to do',
        ...tableLines(columns(cpuTitles), cpuRows),
        '',
        ...notes.map((text) => `  ${text}`),
      ];
    },
  };
}
