/** Wordings for uploads, and those for files that are read here; OPTION is the one that says how a file is read. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/, with the id of this file in "replaces"/g, ''],
  [/give the dataset a field of type number or amount for it before the upload/g, 'write them with decimals'],
  [/\bthe upload says/g, 'OPTION says'],
  [/\bof the upload\b/g, 'of OPTION'],
  [/\bUpload (?:(?:the file|it) again )?with (?=\w+=)/g, 'Add OPTION '],
  [/\bupload (?:(?:the file|it) again )?with (?=\w+=)/g, 'add OPTION '],
  [/\bUpload (?:the file|it) again with\b/g, 'Add OPTION with'],
  [/\bupload (?:the file|it) again with\b/g, 'add OPTION with'],
  [/\bUpload\b/g, 'Give'],
  [/\bupload\b/g, 'give'],
];

/**
 * Words a message about a file for the command line: nothing is uploaded by a comparison.
 *
 * @param option the option that says how the file is read, such as `--left-read`
 */
export function readerMessage(message: string, option: string): string {
  let text = message;
  for (const [pattern, wording] of wordings) text = text.replace(pattern, wording.replace('OPTION', option));
  return text;
}
