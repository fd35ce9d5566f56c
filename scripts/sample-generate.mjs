import fs from 'node:fs';
import { toCsv } from './sample/csv.mjs';
import { runMain } from '../tools/main.mjs';
import { inRoot } from '../tools/paths.mjs';
import { sampleData } from './sample/data.mjs';

const files = ({ invoices, bankLines, cardPurchases, truth, compositeTruth }) => ({
  'invoices.csv': invoices,
  'bank-lines.csv': bankLines,
  'card-purchases.csv': cardPurchases,
  'truth.csv': truth,
  'truth-composites.csv': compositeTruth,
});

// Writes the sample files; with --check it only says whether the shipped ones are what the generator makes.
await runMain(async () => {
  const check = process.argv.includes('--check');
  fs.mkdirSync(inRoot('sample'), { recursive: true });
  for (const [name, rows] of Object.entries(files(sampleData()))) {
    const file = inRoot('sample', name);
    const text = toCsv(rows);
    if (!check) fs.writeFileSync(file, text);
    else if (fs.readFileSync(file, 'utf8') !== text)
      throw new Error(`sample/${name} is not what npm run sample:generate makes.`);
    console.log(`sample/${name}: ${rows.length - 1} rows`);
  }
});
