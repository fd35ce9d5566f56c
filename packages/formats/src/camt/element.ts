/** An XML element of an entry, small enough to keep whole. */
export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
  children: Element[];
}

/** Paths are constants of the readers, so their names are split once. */
const namesOfPaths = new Map<string, readonly string[]>();

function namesOf(path: string): readonly string[] {
  let names = namesOfPaths.get(path);
  if (names === undefined) {
    names = path.split('/');
    namesOfPaths.set(path, names);
  }
  return names;
}

/** Calls `onFound` for the elements at the end of a path, until it returns true. */
function search(
  element: Element,
  names: readonly string[],
  depth: number,
  onFound: (found: Element) => boolean,
): boolean {
  if (depth === names.length) return onFound(element);
  const name = names[depth];
  for (const child of element.children)
    if (child.name === name && search(child, names, depth + 1, onFound)) return true;
  return false;
}

/** Finds all elements at the end of a path of names (`Refs/EndToEndId`). */
export function findAll(element: Element | undefined, path: string): Element[] {
  const found: Element[] = [];
  if (element !== undefined) search(element, namesOf(path), 0, (one) => found.push(one) < 0);
  return found;
}

/** Finds the first element at the end of a path. */
export function find(element: Element | undefined, path: string): Element | undefined {
  let found: Element | undefined;
  if (element !== undefined)
    search(element, namesOf(path), 0, (one) => {
      found = one;
      return true;
    });
  return found;
}

/** Returns the text at the first of several paths that has one. */
export function textAt(element: Element | undefined, ...paths: string[]): string | null {
  if (element === undefined) return null;
  let text = '';
  const hasText = (one: Element): boolean => {
    text = one.text.trim();
    return text !== '';
  };
  for (const path of paths) if (search(element, namesOf(path), 0, hasText)) return text;
  return null;
}

/** Returns the distinct texts at several paths, without empty ones. */
export function textsAt(element: Element | undefined, ...paths: string[]): string[] {
  const texts = new Set<string>();
  if (element === undefined) return [];
  for (const path of paths)
    search(element, namesOf(path), 0, ({ text }) => {
      if (text.trim() !== '') texts.add(text.trim());
      return false;
    });
  return [...texts];
}

/** Formats an element as text, so that people find it in the file. */
export function shownElement({ name, text, children }: Element): string {
  return `<${name}>${text}${children.map(shownElement).join('')}</${name}>`;
}
