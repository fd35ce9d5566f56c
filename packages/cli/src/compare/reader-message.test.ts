import { readerMessage } from './reader-message';

test.each([
  ['The file is empty. Upload a file with rows.', 'The file is empty. Give a file with rows.'],
  ['Export the rows as CSV and upload that file.', 'Export the rows as CSV and give that file.'],
  ['If one is a row, upload the file again with headerRow=3', 'If one is a row, add --left-read headerRow=3'],
  ['If ids mean nothing, upload with identity=none', 'If ids mean nothing, add --left-read identity=none'],
  ['If wrong, upload the file again with its encoding', 'If wrong, add --left-read with its encoding'],
  ['Upload the file again with the dateFormat that holds', 'Add --left-read with the dateFormat that holds'],
  ['"headerRow" and "header" of the upload settle it', '"headerRow" and "header" of --left-read settle it'],
  ['format: the upload says csv.', 'format: --left-read says csv.'],
  ['Export it again and upload it, with the id of this file in "replaces"', 'Export it again and give it'],
])('%j becomes %j', (message, wording) => {
  expect(readerMessage(message, '--left-read')).toBe(wording);
});
