const barWidth = 32;
const plainStepPercent = 25;

const count = (value) => value.toLocaleString('en-US');

/**
 * A progress bar on a terminal, a line now and then elsewhere.
 *
 * @param {string} label
 * @param {(line: string) => void} say
 * @returns {{ update(done: number, total: number): void, end(text: string): void }}
 */
export function progressBar(label, say) {
  const live = process.stdout.isTTY === true;
  const title = label.padEnd(24);
  let shown = 0;
  return {
    update(done, total) {
      const share = total > 0 ? Math.min(1, done / total) : 0;
      const figures =
        total === 0
          ? 'preparing'
          : `${String(Math.floor(share * 100)).padStart(3)} %  ${count(done)} of ${count(total)}`;
      if (live) {
        const full = Math.round(share * barWidth);
        process.stdout.write(`\r\u001b[K  ${title} ${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${figures}`);
      } else if (share * 100 >= shown + plainStepPercent && share < 1) {
        shown = Math.floor((share * 100) / plainStepPercent) * plainStepPercent;
        say(`  ${title} ${figures}`);
      }
    },
    end(text) {
      if (live) process.stdout.write('\r\u001b[K');
      say(`  ${title} ${text}`);
    },
  };
}
