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
];

const fromHex = (hex: string): string => String.fromCharCode(parseInt(hex, 16));

/** What a text may end with when it is cut inside an escape. */
const halfEscape = /(\\(u[0-9a-f]{0,3})?|%[0-9a-f]?)$/i;

/**
 * Takes the credential of a request out of text that its receiver sent, as it is, with the escapes of JSON or of urls, and in
 * base64: receivers send requests back, and the log of attempts is for more eyes than the credential.
 */
export function censorOf(headers: Readonly<Record<string, string>>): Censor {
  const credentials = Object.entries(headers).flatMap(([name, value]) => (name.toLowerCase() === 'authorization' ? [value] : []));
  return (text, cut = false) =>
    credentials.reduce<string | null>((left, credential) => (left === null ? null : censor(left, credential, cut)), text);
}

function censor(text: string, credential: string, cut: boolean): string | null {
  const forms = [credential, ...base64Of(credential)];
  let censored = forms.reduce((left, form) => redact(plain(left), form), text);
  for (const escape of escapes) censored = redact(decodeBy(censored, escape), credential);
  if (credential.length < shortest && censored !== text) return null;
  if (!cut) return censored;
  const end = censored.replace(halfEscape, '');
  const starts = [
    ...forms.map((form) => beginningAtEnd(plain(end), form)),
    ...escapes.map((escape) => beginningAtEnd(decodeBy(end, escape), credential)),
  ];
  const start = Math.min(...starts);
  return start < end.length ? end.slice(0, start) + mark : end;
}

/** A text without its escapes. */
interface Decoded {
  raw: string;
  text: string;
  /** Where in `raw` the character is that `text` has at a place; its length follows at the end. */
  startOf: (place: number) => number;
}

const plain = (raw: string): Decoded => ({ raw, text: raw, startOf: (place) => place });

function decodeBy(raw: string, [pattern, decode]: Escape): Decoded {
  if (raw.search(pattern) === -1) return plain(raw);
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
  return { raw, text, startOf: (place) => starts[place] ?? raw.length };
}

function redact({ raw, text, startOf }: Decoded, form: string): string {
  let censored = '';
  let end = 0;
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, end)) {
    censored += raw.slice(startOf(end), startOf(at)) + mark;
    end = at + form.length;
  }
  return censored + raw.slice(startOf(end));
}

/** Where the form begins that the text ends with the beginning of. */
function beginningAtEnd({ raw, text, startOf }: Decoded, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(form.slice(0, length))) return startOf(text.length - length);
  }
  return raw.length;
}

/** The characters that stand for it alone wherever it lies in what is encoded, of both alphabets. */
function base64Of(credential: string): string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + credential).toString('base64').replace(/=+$/, '');
    const sharedAtEnd = (before + credential.length) % 3 === 0 ? 0 : 1;
    const form = encoded.slice(before === 0 ? 0 : before + 1, encoded.length - sharedAtEnd);
    return form.length < shortest ? [] : [form];
  });
  const whole = Buffer.from(credential).toString('base64');
  return [...new Set([whole, ...forms].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]))];
}
