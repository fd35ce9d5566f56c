import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { requireFrom } from '../../tools/paths.mjs';
import { sizeText } from '../command-line.mjs';
import { alternate } from '../measure.mjs';
import { duration, share, whole } from '../report.mjs';

const formats = () => requireFrom('packages/formats')('./dist/index.js');

const pieceBytes = 65_536;
const names = ['id', 'date', 'text', 'amount', 'currency', 'note'];

/** A statement with a decimal comma, some quotes and an empty last cell in each fifth row. */
function statement(rows) {
  const lines = [names.join(';')];
  for (let i = 0; i < rows; i++) {
    const day = `${String((i % 28) + 1).padStart(2, '0')}.0${(i % 9) + 1}.2026`;
    const text = i % 7 === 0 ? '"Müller; Söhne"' : `Card payment, shop ${i % 997}`;
    const amount = `${i % 1000},${String(i % 100).padStart(2, '0')}`;
    lines.push(`${100_000 + i};${day};${text};${amount};EUR;${i % 5 === 0 ? '' : `ref ${i}`}`);
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

function* piecesOf(bytes) {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const sourceOf = (bytes) => ({
  sizeBytes: bytes.length,
  open: async (start = 0, end = bytes.length) =>
    Readable.from(piecesOf(bytes.subarray(start, end)), { objectMode: false }),
});

async function readTable(source) {
  const { detectFile, readRows } = formats();
  let rows = 0;
  for await (const batch of readRows(source, await detectFile(source))) rows += batch.rows.length;
  return rows;
}

/** Decodes, cuts lines and cells, and makes objects: the least that any reader does. It knows no quotes. */
async function cutLines(source) {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let rows = -1;
  for await (const piece of await source.open()) {
    const text = rest + decoder.write(piece);
    let at = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      const cells = text.slice(at, end).split(';');
      const data = {};
      for (let column = 0; column < names.length; column++) data[names[column]] = cells[column] ?? '';
      if (data.id !== undefined) rows++;
      at = end + 1;
    }
    rest = text.slice(at);
  }
  return rows;
}

/** Seconds of the processor: reading waits for nothing, and other programs do not count. */
async function busySeconds(read, source, rows) {
  const before = process.cpuUsage();
  const found = await read(source);
  const { user, system } = process.cpuUsage(before);
  if (found !== rows) throw new Error(`${found} of ${rows} rows were read`);
  return { seconds: (user + system) / 1e6 };
}

/** Fewer would be read before their code is compiled. */
const rows = 1_000_000;

/** (l) Detecting and reading a CSV of a million rows, against a bare loop that cuts lines and cells. */
export async function benchTables({ rounds, report }) {
  report.section(`(l) Reading a CSV of ${sizeText(rows)} rows, detection included, against a bare loop over its lines`);
  const source = sourceOf(statement(rows));
  await readTable(source);
  const { product, bare } = await alternate(rounds, {
    bare: () => busySeconds(cutLines, source, rows),
    product: () => busySeconds(readTable, source, rows),
  });
  report.compare({
    what: 'processor time',
    product: duration(product.seconds),
    reference: duration(bare.seconds),
    measured: product.seconds / bare.seconds,
    show: share,
    atMost: maxShare,
  });
  report.compare({
    what: 'rows a second',
    product: whole(rows / product.seconds),
    reference: whole(rows / bare.seconds),
  });
  report.finish();
}

/** Before readings were chosen by evidence it was 1.3 to 2.5 on one machine. */
const maxShare = 1.8;
