/** Deterministic numbers in [0, 1) from a seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const firstNames = ['Norte', 'Sul', 'Aurora', 'Vale', 'Porto', 'Serra', 'Campo', 'Lago', 'Monte', 'Rio'];
const secondNames = ['Comercio', 'Industria', 'Servicos', 'Alimentos', 'Textil', 'Logistica', 'Digital', 'Metais'];
const suffixes = ['Ltda', 'SA', 'ME'];

/**
 * Two sides of `size` rows: 40 % of the amounts from a price list in which few prices are very common, the rest spread
 * over a log-normal; 80 % of the rows have a true counterpart with perturbed amount, date and name.
 *
 * @param {number} size @param {number} seed
 */
export function workload(size, seed = 7) {
  const next = random(seed);
  const gauss = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const days = size <= 10_000 ? 90 : size <= 100_000 ? 365 : 1095;
  const prices = Array.from({ length: 400 }, (_, i) => Math.round(500 + (i * 7919) % 90_000) / 100);
  const cents = () =>
    next() < 0.4
      ? prices[Math.floor(400 ** next()) - 1] * 100
      : Math.max(1, Math.round(100 * Math.exp(Math.log(300) + 1.3 * gauss())));
  const pick = (list) => list[Math.floor(next() * list.length)];
  const companies = Array.from({ length: Math.max(50, size / 50) }, (_, i) => `${pick(firstNames)} ${pick(secondNames)} ${i} ${pick(suffixes)}`);
  const date = (day) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
  const typed = (name) => {
    const kind = next();
    if (kind < 0.5) return name.toUpperCase();
    if (kind < 0.8) return ` ${name.toLowerCase()} `;
    return kind < 0.9 ? name.replace(/ (Ltda|SA|ME)$/, '') : name.replace(/[aeiou]/, '');
  };
  const left = [];
  const right = [];
  for (let i = 0; i < size; i += 1) {
    const amount = cents();
    const day = Math.floor(next() * days);
    const name = pick(companies);
    const number = `INV-${1_000_000 + i}`;
    left.push({ externalId: `L${i}`, body: { amount: amount / 100, date: date(day), name, number, currency: 'BRL', category: `c${i % 23}` } });
    let paid = { amount: cents(), day: Math.floor(next() * days), name: pick(companies).toUpperCase(), memo: `TED ${Math.floor(next() * 1e8)}` };
    if (next() < 0.8) {
      const kind = next();
      const gap = kind < 0.75 ? 0 : kind < 0.85 ? amount * 0.005 * next() : kind < 0.95 ? Math.min(amount / 2, 150 * next()) : amount * 0.06 * (next() - 0.5);
      const shift = next() < 0.6 ? 0 : Math.round((next() - 0.3) * 5);
      paid = {
        amount: Math.max(1, Math.round(amount - gap)),
        day: Math.max(0, day + shift),
        name: typed(name),
        memo: next() < 0.6 ? `PAGTO ${number} REF ${Math.floor(next() * 1e6)}` : `TED RECEBIDA ${Math.floor(next() * 1e8)}`,
      };
    }
    right.push({ externalId: `R${i}`, body: { amount: paid.amount / 100, date: date(paid.day), name: paid.name, memo: paid.memo, bank: `B${i % 7}` } });
  }
  return { left, right };
}

/** Four weighted matchers over a blocking by amount bucket and date. */
export const ruleSet = {
  engine: 'jsonata-batch',
  params: {
    Tmatch: 0.8,
    Tpossible: 0.7,
    matchers: [
      { id: 'amount', expr: '$abs(left.amount - right.amount) <= 0.01 * $abs(left.amount)', weight: 0.4 },
      { id: 'date', expr: 'left.date = right.date', weight: 0.2 },
      { id: 'name', expr: '$lowercase($trim(left.name)) = $lowercase($trim(right.name))', weight: 0.2 },
      { id: 'reference', expr: '$contains(right.memo, left.number)', weight: 0.2 },
    ],
    blocking: { amountKey: 'amount', amountBucketSize: 1, amountBucketWindow: 1, dateKey: 'date', dateToleranceDays: 3 },
  },
};

/**
 * The same join and score in PostgreSQL's own words: every left row is expanded to the (bucket, day) cells of its window,
 * so that the database can join by equality. Answers the number of candidate pairs and of kept ones.
 */
export const sqlReference = `
  with l as (select data, floor((data->>'amount')::numeric)::bigint as bucket, (data->>'date')::date as day,
                    lower(btrim(data->>'name')) as name, (data->>'amount')::numeric as amount
               from records where tenant_id = $1 and dataset_id = $2),
       r as (select data, floor((data->>'amount')::numeric)::bigint as bucket, (data->>'date')::date as day,
                    lower(btrim(data->>'name')) as name, (data->>'amount')::numeric as amount
               from records where tenant_id = $1 and dataset_id = $3),
       cells as (select l.*, l.bucket + b as cell_bucket, l.day + d as cell_day from l, generate_series(-1, 1) b, generate_series(-3, 3) d),
       scored as (select 0.4 * (abs(c.amount - r.amount) <= 0.01 * abs(c.amount))::int + 0.2 * (c.day = r.day)::int
                       + 0.2 * (c.name = r.name)::int
                       + 0.2 * (position(c.data->>'number' in r.data->>'memo') > 0)::int as score
                    from cells c join r on r.bucket = c.cell_bucket and r.day = c.cell_day)
  select count(*)::int as pairs, (count(*) filter (where score >= 0.7))::int as kept from scored`;
