/** Has the browser save an answer as a file of this name. */
export async function save(answer: Promise<Response>, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await answer).blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Has the browser save a text as a CSV file. */
export const saveText = (text: string, name: string): Promise<void> =>
  save(Promise.resolve(new Response(new Blob([text], { type: 'text/csv;charset=utf-8' }))), name);
