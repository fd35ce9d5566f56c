import fs from 'node:fs';
import path from 'node:path';
import { seededRandom } from './random.mjs';

const msPerDay = 86_400_000;
const firstDay = Date.UTC(2023, 0, 2) / msPerDay;
const commonPrices = [
  19.9, 29.9, 49.9, 59.9, 99.9, 100, 120, 149.9, 150, 199.9, 200, 250, 299.9, 300, 350, 400, 450, 500, 600, 750, 800,
  999.9, 1000, 1200, 1500, 2000, 2500, 3000, 5000, 10000,
];
const priceCount = 400;
const firstNames = (
  'Acme Globex Initech Umbrella Stark Wayne Soylent Hooli Vehement Massive Dynamic Aperture Cyberdyne Tyrell Wonka ' +
  'Oscorp ' +
  'Nakatomi Pied Vandelay Duff Kruger Sirius Prestige Gringotts Monarch Octan Zorg Buy Gekko Blue'
).split(' ');
const secondNames = (
  'Comercio Servicos Industria Logistica Alimentos Tecnologia Engenharia Transportes Farma Textil Metais Papel ' +
  'Quimica Agro ' +
  'Energia Seguros Midia Moveis Pneus Bebidas'
).split(' ');
const suffixes = ['Ltda', 'SA', 'ME', 'EIRELI', '& Cia', 'Ltd'];
const suffix = / (Ltda|SA|ME|EIRELI|& Cia|Ltd)$/;

/** More records lie on more days: pairs grow faster than records, as in a busier business. */
const daysOf = (size) => (size <= 20_000 ? 90 : size <= 200_000 ? 365 : 1095);
const cents = (amount) => Math.round(amount * 100) / 100;
const dateOf = (day) => new Date((firstDay + day) * msPerDay).toISOString().slice(0, 10);
const pick = (list, fraction) => list[Math.floor(fraction * list.length)];

function priceList() {
  const next = seededRandom(31);
  return Array.from({ length: priceCount }, (_, i) => commonPrices[i] ?? Math.round((10 + next() * 4990) * 10) / 10);
}

function companyName(number) {
  const next = seededRandom(977 + number);
  return `${pick(firstNames, next())} ${pick(secondNames, next())} ${1 + (number % 997)} ${pick(suffixes, next())}`;
}

/** Draws of one data set: the order of the calls is part of what the seed means. */
function draws(size, seed) {
  const next = seededRandom(seed);
  const prices = priceList();
  const companies = Math.max(200, Math.round(size / 40));
  const gauss = () => {
    let u = 0;
    while (u === 0) u = next();
    return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * next());
  };
  // 40 % come from a price list in which few prices are very common, the rest spreads over a log-normal.
  const amount = () =>
    next() < 0.4
      ? prices[Math.max(0, Math.min(priceCount - 1, Math.floor(priceCount ** next()) - 1))]
      : cents(Math.exp(Math.log(300) + 1.3 * gauss())) || 0.01;
  return {
    next,
    amount,
    below: (limit) => Math.floor(next() * limit),
    day: () => Math.floor(next() * daysOf(size)),
    company: () => Math.floor(next() * companies),
  };
}

/** 75 % pay the very amount, the others up to 0.5 % less, less a fee of up to 1.50, or within 3 %. */
function paidAmount(amount, next) {
  const kind = next();
  if (kind < 0.75) return amount;
  if (kind < 0.85) return cents(amount * (1 - 0.005 * next()));
  if (kind < 0.95) return cents(amount - Math.min(amount / 2, next() * 1.5));
  return cents(amount * (0.97 + 0.06 * next()));
}

/** A company's name as a bank writes it. */
function typedName(name, next) {
  if (next() < 0.5) return name.toUpperCase();
  if (next() < 0.6) return ` ${name.toLowerCase()} `;
  return next() < 0.5 ? name.replace(suffix, '') : name.replace(/[aeiou]/, '');
}

function payment({ amount, day, name, invoiceNo, company }, { next, below }) {
  const paid = paidAmount(amount, next);
  const paidDay = Math.max(0, day + (next() < 0.6 ? 0 : Math.round((next() - 0.3) * 5)));
  const typed = typedName(name, next);
  const description = next() < 0.6 ? `PAGTO ${invoiceNo} REF ${below(1e6)}` : `TED RECEBIDA ${below(1e8)}`;
  return bankEntry({ amount: paid, day: paidDay, name: typed, description, company });
}

function unrelatedPayment(draw) {
  const company = draw.company();
  const amount = draw.amount();
  const day = draw.day();
  return bankEntry({
    amount,
    day,
    name: companyName(company).toUpperCase(),
    description: `TED RECEBIDA ${draw.below(1e8)}`,
    company,
  });
}

const bankEntry = ({ amount, day, name, description, company }) => ({
  amount,
  date: dateOf(day),
  name,
  description,
  account: `001-${company % 50}`,
  kind: 'credit',
  bank: `B${company % 7}`,
});

/**
 * Bodies of the records of both sides, one of each at a time: invoices on the left, bank entries on the right. 80 % of
 * the invoices have a true counterpart with perturbed amount, date, name and reference. The same size and seed give the
 * same records everywhere.
 *
 * @param {number} size records a side @param {number} seed
 */
export function* records(size, seed = 7) {
  const draw = draws(size, seed);
  for (let i = 0; i < size; i++) {
    const amount = draw.amount();
    const day = draw.day();
    const company = draw.company();
    const name = companyName(company);
    const invoiceNo = `INV-${1_000_000 + i}`;
    const left = {
      amount,
      date: dateOf(day),
      name,
      invoice_no: invoiceNo,
      currency: 'BRL',
      due_date: dateOf(day + 30),
      customer_id: company,
      category: `cat${company % 23}`,
    };
    const related = draw.next() < 0.8;
    yield { left, right: related ? payment({ amount, day, name, invoiceNo, company }, draw) : unrelatedPayment(draw) };
  }
}

const flushLength = 1 << 20;

/** Writes the bodies of both sides as lines of JSON and returns the two files. */
export function writeBodies(size, directory) {
  const sides = ['left', 'right'].map((side) => {
    const file = path.join(directory, `${side}-${size}.ndjson`);
    return { side, file, descriptor: fs.openSync(file, 'w'), text: '' };
  });
  for (const record of records(size)) {
    for (const target of sides) {
      target.text += `${JSON.stringify(record[target.side])}\n`;
      if (target.text.length < flushLength) continue;
      fs.writeSync(target.descriptor, target.text);
      target.text = '';
    }
  }
  for (const { descriptor, text } of sides) {
    fs.writeSync(descriptor, text);
    fs.closeSync(descriptor);
  }
  return Object.fromEntries(sides.map(({ side, file }) => [side, file]));
}
