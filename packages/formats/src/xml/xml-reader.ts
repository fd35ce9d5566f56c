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

  /** @param isOwnOnly leaves out elements of other namespaces than the root's; their content is reported */
  constructor(
    handler: XmlHandler,
    private readonly what: string,
    isOwnOnly = false,
  ) {
    const namespaces = isOwnOnly ? new Namespaces() : null;
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
      if (namespaces?.open(name, attributes) === false) return;
      handler.open(this.localName(name), attributes);
    });
    this.parser.on('text', (text) => handler.text(text));
    this.parser.on('cdata', (text) => handler.text(text));
    this.parser.on('closetag', ({ name }) => {
      this.depth--;
      this.charsSinceTag = 0;
      if (namespaces?.close(name) === false) return;
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
        'export the whole file again and use that.',
    );
  }
}

interface Declaration {
  depth: number;
  prefix: string;
  uri: string;
}

/** Tells which elements belong to the namespace of the root. */
class Namespaces {
  private readonly declared: Declaration[] = [];
  private depth = 0;
  private root: { prefix: string; uri: string | undefined } | null = null;

  open(name: string, attributes: XmlAttributes): boolean {
    this.depth++;
    for (const key in attributes) {
      if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
      this.declared.push({ depth: this.depth, prefix: key.slice(6), uri: attributes[key] as string });
    }
    this.root ??= { prefix: prefixOf(name), uri: this.uriOf(prefixOf(name)) };
    return this.isOwn(name);
  }

  close(name: string): boolean {
    const isOwn = this.isOwn(name);
    while (this.declared.at(-1)?.depth === this.depth) this.declared.pop();
    this.depth--;
    return isOwn;
  }

  private isOwn(name: string): boolean {
    const prefix = prefixOf(name);
    const uri = this.uriOf(prefix);
    return uri === this.root?.uri && (uri !== undefined || prefix === this.root?.prefix);
  }

  private uriOf(prefix: string): string | undefined {
    for (let index = this.declared.length - 1; index >= 0; index--)
      if (this.declared[index]?.prefix === prefix) return this.declared[index]?.uri;
    return undefined;
  }
}

const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')));
