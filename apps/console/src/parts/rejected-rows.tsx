import { useInfiniteQuery } from '@tanstack/react-query';
import { tieout } from '../api/client';
import type { DataFile } from '../api/datasets';
import { nextPage } from '../api/pages';
import { useAction } from './action';
import { saveText } from './download';
import { More } from './pages';
import { csvOfRejects, type RejectLine } from './rejected-csv';
import { Loaded } from './states';
import { TableFrame } from './table-frame';
import { Moment } from './values';
import { useFormats, useText } from '../text';
import { readingText } from '../text/reading';

const pageSize = 50;

async function allRows({ id: fileId, dataSourceId: id }: DataFile): Promise<RejectLine[]> {
  const rows: RejectLine[] = [];
  for (let page = 1; ; page++) {
    const { items, total } = await tieout.listFileErrors({ path: { id, fileId }, query: { page, limit: 100 } });
    rows.push(...items);
    if (items.length === 0 || rows.length >= total) return rows;
  }
}

function Rows({ file }: { file: DataFile }) {
  const texts = useText();
  const { exceptions } = texts;
  const query = useInfiniteQuery({
    queryKey: ['file-errors', file.id],
    queryFn: ({ pageParam, signal }) =>
      tieout.listFileErrors({
        path: { id: file.dataSourceId, fileId: file.id },
        query: { page: pageParam, limit: pageSize },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          <TableFrame label={file.originalName}>
            <table className="plain-table">
              <thead>
                <tr>
                  <th scope="col" className="amount">
                    {exceptions.line}
                  </th>
                  <th scope="col">{exceptions.column}</th>
                  <th scope="col">{exceptions.said}</th>
                  <th scope="col">{exceptions.raw}</th>
                </tr>
              </thead>
              <tbody>
                {pages
                  .flatMap(({ items }) => items)
                  .map(({ line, column, message, raw }, at) => (
                    <tr key={at}>
                      <td className="amount">{line}</td>
                      <td>
                        <bdi>{column}</bdi>
                      </td>
                      <td className="note">{readingText(message, texts)}</td>
                      <td className="note">
                        <bdi className="mono">{raw.slice(0, 300)}</bdi>
                      </td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </TableFrame>
          <More query={query} />
        </>
      )}
    </Loaded>
  );
}

/** Lists the rejected rows of a file with their errors. */
export function RejectedRows({ file }: { file: DataFile }) {
  const { exceptions } = useText();
  const formats = useFormats();
  const { isBusy, run } = useAction();
  const download = () =>
    run(async () => {
      await saveText(csvOfRejects(await allRows(file)), `${file.originalName}.rejected.csv`);
      return undefined;
    });
  return (
    <article className="card stale">
      <header className="columns">
        <div>
          <h3>
            <bdi>{file.originalName}</bdi>
          </h3>
          <p className="soft">
            <bdi>{file.metadata.dataset}</bdi> · <Moment of={file.uploadedAt} /> ·{' '}
            {exceptions.rejected(formats.counted(file.metadata.rejected))}
          </p>
        </div>
        <button type="button" className="button" disabled={isBusy} onClick={() => void download()}>
          {exceptions.download}
        </button>
      </header>
      <Rows file={file} />
    </article>
  );
}
