import { bytesSource } from '../testing/files';
import { detectFile, FileUnreadableError, reasonOf } from './index';

const prose = 'Dear all,\nplease find the numbers of this month below.\nBest regards, Ann\n';

const refusalOf = async (content: string | Buffer): Promise<FileUnreadableError> => {
  const error: unknown = await detectFile(bytesSource(Buffer.from(content))).catch((reason: unknown) => reason);
  if (!(error instanceof FileUnreadableError)) throw new Error('the file is read');
  return error;
};

test.each([
  ['a text', prose, 'sales.xlsx', 'named .xlsx, but its content is plain text and no workbook'],
  ['a text in capitals', prose, 'SALES.XLS', 'named .XLS, but its content is plain text'],
  ['other bytes', Buffer.alloc(2_000, '\0\x01\x02'), 'sales.xlsx', 'is binary data of another kind and no workbook'],
])('%s that is named as a workbook is refused for that', async (_what, content, name, told) => {
  const reason = reasonOf(await refusalOf(content), name);
  expect(reason).toContain(told);
  expect(reason).toContain('save it as XLSX and use that file');
});

test.each([
  ['a text', prose, 'sales.txt'],
  ['a document', '%PDF-1.7\n', 'sales.xlsx'],
  ['nothing', '', 'sales.xlsx'],
])('%s keeps its own reason as %s', async (_what, content, name) => {
  const refusal = await refusalOf(content);
  expect(reasonOf(refusal, name)).toBe(refusal.message);
});
