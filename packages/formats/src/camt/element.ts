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
  for (const path of paths) {
    const text = findAll(element, path)[0]?.text.trim();
    if (text !== undefined && text !== '') return text;
  }
  return null;
}
