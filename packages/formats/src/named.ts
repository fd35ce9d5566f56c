import type { FileUnreadableError, Recognised } from './types';

const workbookName = /\.(xls[xmb]?|ods)$/i;
/** Faults that say nothing of use to one who takes the file for a workbook. */
const ofContent: readonly string[] = ['not_a_table', 'file_empty', 'file_binary'];

interface Refusal extends Pick<FileUnreadableError, 'message'> {
  code: string;
  recognised: Pick<Recognised, 'mimeType'> | null;
}

/**
 * Returns why a file is refused, and what to do. Where its name promises a workbook and its content is plain text or
 * unknown, that is the reason.
 *
 * @param name the name that the sender gave to the file
 */
export function reasonOf({ code, message, recognised }: Refusal, name: string): string {
  const ending = workbookName.exec(name)?.[0];
  if (ending === undefined || recognised === null || !ofContent.includes(code)) return message;
  const content = recognised.mimeType.startsWith('text/') ? 'plain text' : 'binary data of another kind';
  return (
    `The file is named ${ending}, but its content is ${content} and no workbook. Open the original in a spreadsheet ` +
    'program, save it as XLSX and use that file.'
  );
}
