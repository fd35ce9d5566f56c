import { SaxesParser } from 'saxes';
import { limits } from '../limits';
import { FileUnreadableError } from '../types';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Receives the content of an XML document in order. Names come without their prefix. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void;
  /** All text between two tags. */
  text(text: string): void;
  close(name: string): void;
}

/**
 * Reads XML that arrives in pieces. A document type is refused, so no entity can be declared; depth and text length are
 * bounded. `what` names the document in messages.
 */
export class XmlReader {
  private readonly parser = new SaxesParser();
  private readonly localNames = new Map<string, string>();
  private depth = 0;
  private charsSinceTag = 0;

  constructor(
    handler: XmlHandler,
    private readonly what: string,
  ) {
    this.parser.on('error', (error) => {
      throw this.damaged(error.message.replace(/^\d+:\d+: /, ''));
    });
    this.parser.on('doctype', () => {
      throw this.damaged('it declares a document type, which is not allowed');
    });
    this.parser.on('opentag', ({ name, attributes }) => {
      this.depth++;
      if (this.depth > limits.depth) throw this.damaged(`its elements are nested deeper than ${limits.depth}`);
      this.charsSinceTag = 0;
      handler.open(this.localName(name), attributes);
    });
    this.parser.on('text', (text) => handler.text(text));
    this.parser.on('cdata', (text) => handler.text(text));
    this.parser.on('closetag', ({ name }) => {
      this.depth--;
      this.charsSinceTag = 0;
      handler.close(this.localName(name));
    });
  }

  push(piece: string, isLast: boolean): void {
    for (let at = 0; at < piece.length; at += limits.xmlTextChars) {
      const part = piece.slice(at, at + limits.xmlTextChars);
      this.charsSinceTag += part.length;
      this.parser.write(part);
      if (this.charsSinceTag > 2 * limits.xmlTextChars) throw this.damaged('it has a text that is too long');
    }
    if (isLast) this.parser.close();
  }

  private localName(name: string): string {
    let local = this.localNames.get(name);
    if (local === undefined) {
      local = name.slice(name.indexOf(':') + 1);
      if (this.localNames.size < limits.cellFormats) this.localNames.set(name, local);
    }
    return local;
  }

  private damaged(reason: string): FileUnreadableError {
    return new FileUnreadableError(
      'file_damaged',
      `${this.what} cannot be read: line ${this.parser.line}: ${reason}. It may have been cut or edited: ` +
        'export the whole file again and upload that.',
    );
  }
}
