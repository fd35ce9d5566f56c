/** Replaces a text or a pattern in the number of places that it was written for; any other number ends the build. */
export const instead = (find, replace, places = 1) => ({ find, replace, places });
export const before = (find, insert, places = 1) => instead(find, `${insert} ${find}`, places);
export const after = (find, insert, places = 1) => instead(find, `${find} ${insert}`, places);

/** A named group of replacements with a common reason. */
export const edit = (name, reason, ...replacements) => ({ name, reason, replacements });

/** Applies edits in their order. Throws where one does not find its places. */
export function applyEdits(source, edits) {
  let text = source;
  for (const { name, replacements } of edits) {
    for (const { find, replace, places } of replacements) {
      const found = text.split(find).length - 1;
      if (found !== places)
        throw new Error(`The edit "${name}" of jsonata finds ${found} places instead of ${places}: ${find}`);
      text = text.replaceAll(find, () => replace);
    }
  }
  return text;
}
