import { withoutMark } from '../text/characters';
import { TextReader, type TextEncoding } from '../text/decoder';
import { XmlReader, type XmlHandler } from '../xml/xml-reader';
import type { ZipParts } from './zip';

/** Reads a part of a workbook to its end, or until the caller stops: one step per piece. */
export async function* readPart(zip: ZipParts, name: string, handler: XmlHandler): AsyncGenerator<void> {
  const reader = new XmlReader(handler, name, true);
  let decoder: TextReader | null = null;
  for await (const bytes of zip.open(name)) {
    decoder ??= new TextReader(encodingOf(bytes));
    reader.push(withoutMark(decoder.push(bytes, false)), false);
    yield;
  }
  reader.push(decoder?.push(Buffer.alloc(0), true) ?? '', true);
  yield;
}

export async function readWholePart(zip: ZipParts, name: string, handler: XmlHandler): Promise<void> {
  for await (const _ of readPart(zip, name, handler));
}

/** Parts are UTF-8 unless a byte order mark says UTF-16. */
function encodingOf(bytes: Buffer): TextEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
