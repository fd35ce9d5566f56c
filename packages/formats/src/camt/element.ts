/** An XML element of an entry, small enough to keep whole. */
export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: Element[];
}

/** Finds all elements at the end of a path of names (`Refs/EndToEndId`). */
export function findAll(element: Element | undefined, path: string): Element[] {
  let found = element === undefined ? [] : [element];
  for (const name of path.split('/'))
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  return found;
}

/** Returns the text at the first of several paths that has one. */
export function textAt(element: Element | undefined, ...paths: string[]): string | null {
  return textsAt(element, ...paths)[0] ?? null;
}

/** Returns the distinct texts at several paths, without empty ones. */
export function textsAt(element: Element | undefined, ...paths: string[]): string[] {
  const texts = paths.flatMap((path) => findAll(element, path).map(({ text }) => text.trim()));
  return [...new Set(texts.filter((text) => text !== ''))];
}

/** Formats an element as text, so that people find it in the file. */
export function shownElement({ name, text, children }: Element): string {
  return `<${name}>${text}${children.map(shownElement).join('')}</${name}>`;
}
