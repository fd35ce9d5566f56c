/** A piece of an expression's text with its sub-expressions, so that a failing expression can be cut down. */
export interface Term {
  readonly parts: readonly (string | Term)[];
}

/** `term\`(${a} + ${b})\``; an array is written as its items, separated by commas. */
export function term(texts: TemplateStringsArray, ...values: readonly (string | Term | readonly Term[])[]): Term {
  const parts: (string | Term)[] = [];
  texts.forEach((text, index) => {
    if (text !== '') parts.push(text);
    const value = values[index];
    if (value === undefined || value === '') return;
    if (typeof value === 'string' || !isList(value)) parts.push(value);
    else value.forEach((item, position) => parts.push(...(position === 0 ? [item] : [', ', item])));
  });
  return { parts };
}

export function text(value: string): Term {
  return { parts: [value] };
}

export function render(root: Term): string {
  return root.parts.map((part) => (typeof part === 'string' ? part : render(part))).join('');
}

const simplestTerms = ['1', '"a"', 'left'].map(text);

/** Smaller terms that differ from this one in one place, the boldest cuts first. */
export function* smallerTerms(root: Term): Generator<Term> {
  const children = root.parts.filter((part) => typeof part !== 'string');
  yield* children;
  if (render(root).length > 6) yield* simplestTerms;
  for (const [index, part] of root.parts.entries()) {
    if (typeof part === 'string') continue;
    const around = { before: root.parts.slice(0, index), after: root.parts.slice(index + 1) };
    if (around.after[0] === ', ') yield { parts: [...around.before, ...around.after.slice(1)] };
    else if (around.before.at(-1) === ', ') yield { parts: [...around.before.slice(0, -1), ...around.after] };
    for (const smaller of smallerTerms(part)) yield { parts: [...around.before, smaller, ...around.after] };
  }
}

function isList(value: Term | readonly Term[]): value is readonly Term[] {
  return Array.isArray(value);
}
