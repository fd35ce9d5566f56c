import { limits } from '../limits';
import { FileUnreadableError } from '../types';
import type { XmlHandler } from '../xml/xml-reader';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Replaces the references that OFX defines. Others stay, and nothing expands to more than one character. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/**
 * Reads the tags of OFX that arrives in pieces: SGML (1.x), where values have no closing tag, and XML (2.x). Banks
 * write a bare `&` in both. Declarations and comments are skipped.
 */
export class OfxTags {
  private rest = '';

  constructor(private readonly handler: XmlHandler) {}

  push(piece: string, isLast: boolean): void {
    const text = this.rest + piece;
    let at = 0;
    while (at < text.length) {
      const end = text[at] === '<' ? this.tagEnd(text, at) : text.indexOf('<', at);
      if (end < 0 && !isLast) break;
      const stop = end < 0 ? text.length : end;
      if (text[at] === '<') this.tag(text.slice(at, stop));
      else this.handler.text(unescaped(text.slice(at, stop)));
      at = stop;
    }
    this.rest = text.slice(at);
    if (this.rest.length > limits.xmlTextChars)
      throw new FileUnreadableError(
        'file_damaged',
        'The OFX of the file has a value without end. It may have been cut or edited: export the whole file ' +
          'again and use that.',
      );
  }

  private tagEnd(text: string, at: number): number {
    const closing = text.startsWith('<![CDATA[', at) ? ']]>' : text.startsWith('<!--', at) ? '-->' : '>';
    const found = text.indexOf(closing, at);
    return found < 0 ? -1 : found + closing.length;
  }

  private tag(tag: string): void {
    if (tag.startsWith('<![CDATA[')) {
      this.handler.text(tag.slice('<![CDATA['.length, -']]>'.length));
      return;
    }
    const match = /^<(\/?)([A-Za-z][\w.:-]*)/.exec(tag);
    if (match === null) return;
    const name = (match[2] as string).toUpperCase();
    if (match[1] === '/') this.handler.close(name);
    else this.handler.open(name, {});
    if (match[1] === '' && tag.endsWith('/>')) this.handler.close(name);
  }
}
