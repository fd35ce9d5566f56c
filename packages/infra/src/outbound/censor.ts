/**
 * Redacts credentials in a text. `cut`: the text was cut off, so its end may be the beginning of a credential. null: no
 * part of the text may be kept.
 */
export type Censor = (text: string, cut?: boolean) => string | null;

const mark = '[redacted]';

/** A shorter secret occurs in any text, and its redaction would show what it is. */
const minLength = 8;

/** An escape of characters: a pattern, and a decoder for what it matches. */
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

/** Matches the end of a text that was cut inside an escape. */
const halfEscape = /(\\(u[0-9a-f]{0,3})?|%[0-9a-f]?|&(#x?[0-9a-f]{0,8}|[a-z]{0,4}))$/i;

/**
 * Creates a censor for text sent by the receiver of a request. It redacts the request's credential and those parts of
 * it that are themselves credentials, in any letter case, with the escapes of JSON, urls or HTML, in base64 and in hex.
 * Receivers echo requests, and more people read the log of attempts than may see the credential. The text has one
 * character per byte.
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
  // True for most answers: no form is shorter than this.
  if (!cut && text.length < Math.min(credential.length, minLength)) return text;
  const raw = cut ? text.replace(halfEscape, '') : text;
  const forms = [...new Set(secretsOf(credential).flatMap(formsOf))];
  // All forms are searched in the same text: redacting one first could leave an unrecognisable rest of another.
  const decoded = [plain(raw), ...escapes.flatMap((escape) => decodeBy(raw, escape))];
  const ranges = decoded.flatMap((one) => forms.flatMap((form) => rangesOf(one, form)));
  if (credential.length < minLength && ranges.length > 0) return null;
  const begun = cut ? decoded.flatMap((one) => forms.map((form) => beginningAtEnd(one, form))) : [];
  return redact(raw, [...ranges, ...begun]);
}

/** Lists the credential and its recognisable parts: words, a key without prefix, the pair of `Basic`, its password. */
function secretsOf(credential: string): string[] {
  const parts = credential.split(' ');
  const keys = [credential, ...parts].flatMap((one) =>
    one.startsWith(keyPrefix) ? [one.slice(keyPrefix.length)] : [],
  );
  const [, encodedPair] = /^basic +(\S+)$/i.exec(credential) ?? [];
  const pairs = encodedPair === undefined ? [] : [fromBase64(encodedPair)];
  const passwords = pairs.map((pair) => pair.slice(pair.indexOf(':') + 1));
  return [
    credential,
    ...[...parts, ...keys, ...keys.map(fromBase64), ...pairs, ...passwords].filter(({ length }) => length >= minLength),
  ];
}

const keyPrefix = 'whsec_';

const fromBase64 = (encoded: string): string => Buffer.from(encoded, 'base64').toString('latin1');

/** Lowers ASCII letters only, so that the length stays the same. */
const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Lists the forms in which a secret may be written, in lower case. */
function formsOf(secret: string): string[] {
  const hex = Buffer.from(secret, 'latin1').toString('hex');
  return [secret, ...(hex.length < minLength ? [] : [hex]), ...base64Of(secret)].map(lowerCase);
}

/** A text without its escapes, in lower case. */
interface Decoded {
  text: string;
  /** Gives the offset in the raw text of a character of `text`; for the end of `text`, the length of the raw text. */
  startOf: (offset: number) => number;
}

/** A range of the raw text to redact. */
type TextRange = readonly [from: number, to: number];

const plain = (raw: string): Decoded => ({ text: lowerCase(raw), startOf: (offset) => offset });

/** Decodes one kind of escapes; gives nothing for a text without them. */
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
  return [{ text: lowerCase(text), startOf: (offset) => starts[offset] ?? raw.length }];
}

function rangesOf({ text, startOf }: Decoded, form: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
    ranges.push([startOf(at), startOf(at + form.length)]);
  }
  return ranges;
}

/** Finds the beginning of the form at the end of the text; gives an empty range when there is none. */
function beginningAtEnd({ text, startOf }: Decoded, form: string): TextRange {
  let length = Math.min(form.length - 1, text.length);
  while (length > 0 && !text.endsWith(form.slice(0, length))) length--;
  return [startOf(text.length - length), startOf(text.length)];
}

/** Redacts ranges; overlapping ones become one. */
function redact(raw: string, ranges: readonly TextRange[]): string {
  let censored = '';
  let end = 0;
  for (const [from, to] of ranges.filter(([from, to]) => from < to).sort(([a], [b]) => a - b)) {
    if (from >= end) censored += raw.slice(end, from) + mark;
    end = Math.max(end, to);
  }
  return censored + raw.slice(end);
}

/** Lists the base64 characters that encode the secret wherever it starts in the encoded data, in both alphabets. */
function base64Of(secret: string): string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + secret, 'latin1')
      .toString('base64')
      .replace(/=+$/, '');
    const sharedAtEnd = (before + secret.length) % 3 === 0 ? 0 : 1;
    const form = encoded.slice(before === 0 ? 0 : before + 1, encoded.length - sharedAtEnd);
    return form.length < minLength ? [] : [form];
  });
  const whole = Buffer.from(secret, 'latin1').toString('base64');
  return [...new Set([whole, ...forms].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]))];
}
