import { limits } from '../limits';
import { FileUnreadableError } from '../types';
import { readWholePart } from './part';
import type { ZipParts } from './zip';

const textsPerBlock = 4_096;

/** Stores many short texts in few long ones: a text costs four bytes beside its characters. */
export class SharedTexts {
  private readonly blocks: string[] = [];
  private readonly ends: Uint32Array[] = [];
  private open: string[] = [];
  private chars = 0;

  get length(): number {
    return this.blocks.length * textsPerBlock + this.open.length;
  }

  add(text: string): void {
    this.chars += text.length;
    if (this.chars > limits.sharedTextChars || this.length >= limits.sharedTexts) {
      throw new FileUnreadableError(
        'file_too_large',
        `The workbook holds more text than is read of one (${limits.sharedTextChars} characters in ` +
          `${limits.sharedTexts} texts). Save the sheet as CSV and use that.`,
      );
    }
    this.open.push(text);
    if (this.open.length === textsPerBlock) this.seal();
  }

  /** Undefined where no text has this index. */
  get(index: number): string | undefined {
    const block = Math.floor(index / textsPerBlock);
    const at = index % textsPerBlock;
    const ends = this.ends[block];
    if (ends === undefined) return block === this.blocks.length ? this.open[at] : undefined;
    return this.blocks[block]?.slice(at === 0 ? 0 : ends[at - 1], ends[at]);
  }

  private seal(): void {
    const ends = new Uint32Array(this.open.length);
    let end = 0;
    for (const [index, text] of this.open.entries()) ends[index] = end += text.length;
    this.blocks.push(this.open.join(''));
    this.ends.push(ends);
    this.open = [];
  }
}

/** Reads the texts that cells name by index. The text of a cell may come in runs; phonetic readings are left out. */
export async function readSharedTexts(zip: ZipParts, part: string | null): Promise<SharedTexts> {
  const texts = new SharedTexts();
  if (part === null || !zip.has(part)) return texts;
  const collector = new TextRuns();
  await readWholePart(zip, part, {
    open: (name) => {
      if (name === 'si') collector.clear();
      collector.open(name);
    },
    text: (text) => collector.text(text),
    close: (name) => {
      collector.close(name);
      if (name === 'si') texts.add(collector.value);
    },
  });
  return texts;
}

/** Joins the runs of text (`t`) of a shared text or of a cell, without their phonetic readings (`rPh`). */
export class TextRuns {
  private runs = '';
  private inText = false;
  private inReading = false;

  get value(): string {
    return unescaped(this.runs);
  }

  clear(): void {
    this.runs = '';
  }

  open(name: string): void {
    if (name === 't') this.inText = true;
    else if (name === 'rPh') this.inReading = true;
  }

  text(text: string): void {
    if (!this.inText || this.inReading) return;
    if (this.runs.length + text.length > limits.rowChars)
      throw new FileUnreadableError(
        'file_damaged',
        `A cell holds more than ${limits.rowChars} characters. Save the workbook again in a spreadsheet program.`,
      );
    this.runs += text;
  }

  close(name: string): void {
    if (name === 't') this.inText = false;
    else if (name === 'rPh') this.inReading = false;
  }
}

/** Characters that XML cannot contain are written `_x000D_`. */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
}
