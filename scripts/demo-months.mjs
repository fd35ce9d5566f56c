import { showDemo } from './lib/show-demo.mjs';

const help = `Shows three months of a company: bank lines, invoices and bills arrive in portions and are reconciled;
each month is proved and closed, and what is open is carried to the next one. Ends by itself.

Usage: npm run demo:months [-- options]
  --help   this text

Settings: DATA_DIR (.data). The demo lives in DATA_DIR/months-demo, which is emptied first and removed at the end.`;

await showDemo({
  name: 'months',
  help,
  show: async ({ say, launched }) => {
    const { runMonthsDemo } = await import('./demo/months-demo.mjs');
    await launched({ environment: {}, run: (on) => runMonthsDemo({ ...on, say }) });
    say('\nDone: three months, each proved and closed.');
  },
});
