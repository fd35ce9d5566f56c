import { limits } from '../limits';

/** Makes characters visible that no database stores: NUL and lone surrogates. */
export function storable(text: string): string {
  return text.replace(/\0/g, '\u2400').replace(/[\ud800-\udfff]/gu, '\ufffd');
}

/** Returns the beginning of a rejected row, at most 1 KiB of UTF-8. */
export function rawText(text: string): string {
  const cut = storable(text.slice(0, limits.rawBytes));
  if (Buffer.byteLength(cut) <= limits.rawBytes) return cut;
  const bytes = Buffer.from(cut).subarray(0, limits.rawBytes);
  return bytes.subarray(0, bytes.length - unfinishedUtf8(bytes)).toString('utf8');
}

/** Counts the bytes at the end that begin a UTF-8 character without completing it: 0 to 3. */
export function unfinishedUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** Counts the occurrences of a part in a text. */
export function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++;
  return found;
}

/** Removes the byte order mark from the beginning of a text. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Arabic and Persian digits with their separators, and wide forms of East Asian texts. */
const foreignDigit = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/;
const arabic = /[\u0660-\u0669\u06f0-\u06f9\u066b\u066c\u200e\u200f\u061c]/g;
const separators: Readonly<Record<string, string>> = { '\u066b': '.', '\u066c': ',' };

/** Rewrites digits and separators of other scripts as Latin ones. */
export function latinDigits(text: string): string {
  if (!foreignDigit.test(text)) return text;
  return text.normalize('NFKC').replace(arabic, (sign) => {
    return /\p{Nd}/u.test(sign) ? String(sign.charCodeAt(0) & 15) : (separators[sign] ?? '');
  });
}
