/** Returns the words for reading a file again: `setting` is an option with its value, such as `headerRow=3`. */
export const againWith = (givenBy: string | undefined, setting: string): string =>
  givenBy === undefined ? `upload the file again with ${setting}` : `add ${givenBy} ${setting}`;
