import { Type } from '@sinclair/typebox';
import {
  csvOfTable,
  csvOfTables,
  csvType,
  openReport,
  type ReconciliationReport,
  workbookOf,
  xlsxType,
} from '@tieout/domain';
import { invalid, mapEach, stringifyJson } from '@tieout/infra';
import { alsoScopes, closed, defineRoute, jsonType, replyStream, tenantAccess, textEnum, type Route } from '../../http';
import { presentReportGroup, presentReportHead, presentReportItem, reportSchema } from './schemas';
import { reportSections, reportTables, type ReportSection } from './report-tables';

const formats = ['xlsx', 'csv', 'json'] as const;
type ReportFormat = (typeof formats)[number];

const contentTypes: Record<ReportFormat, string> = { xlsx: xlsxType, csv: csvType, json: jsonType };

const report = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/report',
  operationId: 'getReconciliationReport',
  tag: 'Reconciliations',
  summary: 'Report a month, or all months',
  description:
    'Summary, groups with their records and adjustments, and open items with their age. xlsx has a sheet for each; ' +
    'csv has one table with section, else all of them one after the other.',
  rateClass: 'bulk',
  access: alsoScopes(tenantAccess('reconciliations:read', 'whole'), 'matches:read'),
  readsReplica: true,
  params: { id: 'reconciliation' },
  query: closed({
    period: Type.Optional(
      Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'YYYY-MM; default: all months, as of now' }),
    ),
    format: textEnum(formats, { default: 'xlsx' }),
    section: Type.Optional(textEnum(reportSections, { description: 'With format=csv: only this table' })),
  }),
  responses: {
    200: {
      description: 'The report, streamed',
      schema: reportSchema,
      otherContentTypes: [xlsxType, csvType],
    },
  },
  handler: async ({ scope, params, query: { period, format, section } }) => {
    if (section !== undefined && format !== 'csv') {
      const message = 'is for format=csv; the other formats have all sections';
      throw invalid([{ path: '/query/section', code: 'section', message }]);
    }
    const opened = await openReport(scope, params.id, period);
    const name = ['reconciliation', period, section].filter((part) => part !== undefined).join('-');
    return replyStream(200, contentTypes[format], chunksOf(opened, format, section), {
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
    });
  },
});

function chunksOf(
  opened: ReconciliationReport,
  format: ReportFormat,
  section: ReportSection | undefined,
): AsyncIterable<Buffer> {
  if (format === 'json') return jsonOf(opened);
  const tables = reportTables(opened);
  if (section !== undefined) return csvOfTable(tables[section]);
  const all = reportSections.map((key) => tables[key]);
  return format === 'csv' ? csvOfTables(all) : workbookOf(all, { at: opened.at });
}

async function* jsonOf(opened: ReconciliationReport): AsyncGenerator<Buffer, void, void> {
  yield Buffer.from(stringifyJson(presentReportHead(opened)).slice(0, -1));
  yield* jsonArray('groups', opened.groups(), presentReportGroup);
  yield* jsonArray('open_items', opened.openItems(), presentReportItem);
  yield Buffer.from('}');
}

async function* jsonArray<T>(
  key: string,
  pages: AsyncIterable<readonly T[]>,
  present: (item: T) => object,
): AsyncGenerator<Buffer, void, void> {
  let before = `,"${key}":[`;
  yield* mapEach(pages, (items) => {
    const bytes = Buffer.from(before + items.map((item) => stringifyJson(present(item))).join());
    before = ',';
    return bytes;
  });
  yield Buffer.from(`${before === ',' ? '' : before}]`);
}

export const reportRoutes: readonly Route[] = [report];
