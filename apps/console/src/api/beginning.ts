/** The service detects how a file is read by its first 1 MiB. With more, it knows that the file goes on. */
const detectedBytes = 1024 * 1024;
const beginningBytes = 1.25 * detectedBytes;

/** Begins what is read as one document, or by fields that go over lines. */
const noLines = /^(?:PK|[<[!]|OFX|:\d\d|\{\d:)/;

/** Returns the first whole lines of a file that a preview is made of; null where the preview needs the whole file. */
export async function beginningOf(file: Blob): Promise<Blob | null> {
  if (file.size <= beginningBytes) return null;
  const bytes = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer());
  const end = 1 + Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn));
  if (end <= detectedBytes || bytes.includes(0)) return null;
  const text = new TextDecoder().decode(bytes.subarray(0, end)).trimStart();
  if (noLines.test(text) || (text.startsWith('{') && !isObject(/^.*/.exec(text)?.[0] ?? ''))) return null;
  return file.slice(0, end);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function isObject(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
