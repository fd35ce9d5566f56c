import { TieoutError } from './error';

const unsendable = /[^\t\x20-\x7e\x80-\xff]/u;

/** Refuses a text that no header can hold. The error does not repeat it, as it may be a key. @throws TieoutError */
export function assertSendable(name: string, text: string | undefined): void {
  const found = unsendable.exec(text?.trim() ?? '');
  if (found === null) return;
  const place = `character ${found.index + 1}`;
  throw new TieoutError(`${name} cannot be sent: no header can hold its ${place}. Is it copied whole, and alone?`, {
    status: 0,
    code: 'unsendable_header',
  });
}
