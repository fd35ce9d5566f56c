/** Takes a credential out of a text. `cut`: the text goes on, so what it ends with may be the beginning of one. null: nothing of it may be kept. */
export type Censor = (text: string, cut?: boolean) => string | null;

const mark = '[redacted]';

/** A shorter one is found in anything: what it is taken out of says what it is. */
const shortest = 8;

/** A way to write characters otherwise; the decoder gets what the pattern found. */
type Escape = readonly [pattern: RegExp, decode: (escaped: string) => string];

const escapes: readonly Escape[] = [
  [/\\u00[0-9a-f]{2}|\\["\\/]/gi, (escaped) => (escaped.length === 2 ? escaped.slice(1) : fromHex(escaped.slice(4)))],
  [/%[0-9a-f]{2}/gi, (escaped) => fromHex(escaped.slice(1))],
  [/%[0-9a-f]{2}|\+/gi, (escaped) => (escaped === '+' ? ' ' : fromHex(escaped.slice(1)))],
  [
    /&(#x0*[0-9a-f]{2}|#0*[0-9]{2,3}|amp|lt|gt|quot|apos);/gi,
    (escaped) => fromEntity(escaped.slice(1, -1).toLowerCase()),
  ],
];

const fromHex = (hex: string): string => String.fromCharCode(parseInt(hex, 16));

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const fromEntity = (name: string): string =>
  entities[name] ?? (name.startsWith('#x') ? fromHex(name.slice(2)) : String.fromCharCode(Number(name.slice(1))));

/** What a text may end with when it is cut inside an escape. */
const halfEscape = /(\\(u[0-9a-f]{0,3})?|%[0-9a-f]?|&(#x?[0-9a-f]{0,8}|[a-z]{0,4}))$/i;

/**
 * Takes the credential of a request, and what of it is a credential by itself, out of text that its receiver sent: in letters of
 * any case, with the escapes of JSON, urls or HTML, in base64 and in hex. Receivers send requests back, and the log of attempts is
 * for more eyes than the credential. Of bytes, the text has a character each.
 */
export function censorOf(headers: Readonly<Record<string, string>>): Censor {
  const credentials = Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === 'authorization' && value !== '' ? [value] : [],
  );
  return (text, cut = false) =>
    credentials.reduce<string | null>(
      (left, credential) => (left === null ? null : censor(left, credential, cut)),
      text,
    );
}

function censor(text: string, credential: string, cut: boolean): string | null {
  // Most answers are: no form is shorter than this.
  if (!cut && text.length < Math.min(credential.length, shortest)) return text;
  const raw = cut ? text.replace(halfEscape, '') : text;
  const forms = [...new Set(secretsOf(credential).flatMap(formsOf))];
  // All are looked for in the same text: what one of them leaves of another could not be told any more.
  const decoded = [plain(raw), ...escapes.flatMap((escape) => decodeBy(raw, escape))];
  const places = decoded.flatMap((one) => forms.flatMap((form) => placesOf(one, form)));
  if (credential.length < shortest && places.length > 0) return null;
  const begun = cut ? decoded.flatMap((one) => forms.map((form) => beginningAtEnd(one, form))) : [];
  return redact(raw, [...places, ...begun]);
}

/** The credential, and what of it is long enough to be known by: its parts, a key with its mark taken off, the pair of `Basic` and its password. */
function secretsOf(credential: string): string[] {
  const parts = credential.split(' ');
  const keys = [credential, ...parts].flatMap((one) => (one.startsWith(keyMark) ? [one.slice(keyMark.length)] : []));
  const [, encodedPair] = /^basic +(\S+)$/i.exec(credential) ?? [];
  const pairs = encodedPair === undefined ? [] : [fromBase64(encodedPair)];
  const passwords = pairs.map((pair) => pair.slice(pair.indexOf(':') + 1));
  return [
    credential,
    ...[...parts, ...keys, ...keys.map(fromBase64), ...pairs, ...passwords].filter(({ length }) => length >= shortest),
  ];
}

const keyMark = 'whsec_';

const fromBase64 = (encoded: string): string => Buffer.from(encoded, 'base64').toString('latin1');

/** Of letters that have a case, those of ASCII: the length stays. */
const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** How it may be written, in lower case. */
function formsOf(secret: string): string[] {
  const hex = Buffer.from(secret, 'latin1').toString('hex');
  return [secret, ...(hex.length < shortest ? [] : [hex]), ...base64Of(secret)].map(lowerCase);
}

/** A text without its escapes, in lower case. */
interface Decoded {
  text: string;
  /** Where in the raw text the character is that `text` has at a place; its length follows at the end. */
  startOf: (place: number) => number;
}

/** Of a raw text, what is to be taken out. */
type Place = readonly [from: number, to: number];

const plain = (raw: string): Decoded => ({ text: lowerCase(raw), startOf: (place) => place });

/** Nothing for a text without such escapes. */
function decodeBy(raw: string, [pattern, decode]: Escape): Decoded[] {
  if (raw.search(pattern) === -1) return [];
  const starts: number[] = [];
  let text = '';
  let end = 0;
  const takeUpTo = (next: number): void => {
    text += raw.slice(end, next);
    for (; end < next; end++) starts.push(end);
  };
  for (const { 0: escaped, index } of raw.matchAll(pattern)) {
    takeUpTo(index);
    text += decode(escaped);
    starts.push(index);
    end = index + escaped.length;
  }
  takeUpTo(raw.length);
  return [{ text: lowerCase(text), startOf: (place) => starts[place] ?? raw.length }];
}

function placesOf({ text, startOf }: Decoded, form: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
    places.push([startOf(at), startOf(at + form.length)]);
  }
  return places;
}

/** Where the text ends with the beginning of the form; an empty place where it does not. */
function beginningAtEnd({ text, startOf }: Decoded, form: string): Place {
  let length = Math.min(form.length - 1, text.length);
  while (length > 0 && !text.endsWith(form.slice(0, length))) length--;
  return [startOf(text.length - length), startOf(text.length)];
}

/** Places that overlap become one. */
function redact(raw: string, places: readonly Place[]): string {
  let censored = '';
  let end = 0;
  for (const [from, to] of places.filter(([from, to]) => from < to).sort(([a], [b]) => a - b)) {
    if (from >= end) censored += raw.slice(end, from) + mark;
    end = Math.max(end, to);
  }
  return censored + raw.slice(end);
}

/** The characters that stand for it alone wherever it lies in what is encoded, of both alphabets. */
function base64Of(secret: string): string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + secret, 'latin1')
      .toString('base64')
      .replace(/=+$/, '');
    const sharedAtEnd = (before + secret.length) % 3 === 0 ? 0 : 1;
    const form = encoded.slice(before === 0 ? 0 : before + 1, encoded.length - sharedAtEnd);
    return form.length < shortest ? [] : [form];
  });
  const whole = Buffer.from(secret, 'latin1').toString('base64');
  return [...new Set([whole, ...forms].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]))];
}
