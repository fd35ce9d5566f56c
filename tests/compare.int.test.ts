import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { allOf, newSource, startTestApi, uploadTo, type TestApi, type TestTenant } from '../apps/api/testing';
import { runCommand } from '../packages/cli/testing/run';
import { compareCases, type CompareCase } from './support/compare-cases';

let api: TestApi;
let directory: string;

beforeAll(async () => {
  api = await startTestApi();
  directory = await mkdtemp(path.join(tmpdir(), 'tieout-compare-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await api.close();
});

/** The result of a comparison, with records named by the lines of their files. */
interface Outcome {
  decisions: Record<string, number>;
  pairs: string[];
  groups: string[];
  open: string[];
}

async function byCommand({ left, right, rules }: CompareCase): Promise<Outcome> {
  const files = { left: path.join(directory, 'left'), right: path.join(directory, 'right') };
  await writeFile(files.left, left);
  await writeFile(files.right, right);
  await writeFile(path.join(directory, 'rules.json'), JSON.stringify(rules));
  const ruleFile = path.join(directory, 'rules.json');
  const { out, err } = await runCommand('compare', files.left, files.right, '--rules', ruleFile, '--json');
  expect(err).toBe('');
  const { summary, matches, groups, open } = JSON.parse(out) as LocalResult;
  return {
    decisions: summary.decisions,
    pairs: matches.map((one) => `${one.left.line}-${one.right.line} ${one.decision} ${one.score}`).sort(),
    groups: groups
      .map(
        ({ target, members, decision, status, score }) =>
          `${target.side} ${target.line}: ${linesText(members)} ${decision} ${status} ${score}`,
      )
      .sort(),
    open: (['left', 'right'] as const)
      .flatMap((side) => open[side].map(({ line, reason }) => `${side} ${line} ${reason.split(':')[0]}`))
      .sort(),
  };
}

const linesText = (members: readonly { line: number }[]): string =>
  members
    .map(({ line }) => line)
    .sort((one, other) => one - other)
    .join();

interface LocalResult {
  summary: { decisions: Record<string, number> };
  matches: { decision: string; score: number; left: { line: number }; right: { line: number } }[];
  groups: {
    decision: string;
    status: string;
    score: number;
    target: { side: string; line: number };
    members: { line: number }[];
  }[];
  open: Record<'left' | 'right', { line: number; reason: string }[]>;
}

interface StoredMatch {
  left_record_id: string;
  right_record_id: string;
  decision: string;
  score: number;
}

interface StoredGroup {
  id: string;
  decision: string;
  status: string;
  score: number;
  direction: string;
}

/** Uploads the files and runs the rule set as a job. */
async function byService(tenant: TestTenant, { left, right, rules }: CompareCase): Promise<Outcome> {
  const source = await newSource(tenant.api);
  const lines = new Map<string, number>();
  const datasets: string[] = [];
  for (const [name, content] of Object.entries({ left, right })) {
    const file = await uploadTo(tenant.api, source, content, { dataset: name, fromColumns: 'true' }, name);
    await api.runIngest();
    datasets.push(file.metadata.datasetId);
    const rows = await api.service.deps.db.system.query<{ id: string; line: number }>(
      `select id::text as id, line from records where tenant_id = $1::uuid and file_id = $2::uuid`,
      [tenant.tenantId, file.id],
    );
    for (const { id, line } of rows) lines.set(id, line);
  }
  const [leftDatasetId, rightDatasetId] = datasets;
  const { body: created } = await tenant.api
    .post('/v1/rule-sets', { name: 'rules', leftDatasetId, rightDatasetId, ...rules })
    .expect(201);
  const { body: started } = await tenant.api.post('/v1/matching-jobs', { dataset: 'left' }).expect(202);
  await api.runMatching();
  const { id: jobId } = started as { id: string };
  const { body: job } = await tenant.api.get(`/v1/matching-jobs/${jobId}`).expect(200);
  const {
    decision_counts: decisions,
    status,
    error,
  } = job as {
    decision_counts: Record<string, number>;
    status: string;
    error: unknown;
  };
  expect([status, error]).toEqual(['completed', null]);
  const { id: ruleSetId } = created as { id: string };
  const lineOf = (id: string): number => lines.get(id) ?? 0;
  const stored = await allOf<StoredMatch>(tenant, `/v1/matches?ruleSetId=${ruleSetId}`);
  const groups = await allOf<StoredGroup>(tenant, `/v1/composite-matches?ruleSetId=${ruleSetId}`);
  const open: string[] = [];
  for (const side of ['left', 'right']) {
    const unmatched = await allOf<{ record: { id: string }; reason: string }>(
      tenant,
      `/v1/matching-jobs/${jobId}/unmatched?side=${side}&include=failed`,
    );
    open.push(...unmatched.map(({ record, reason }) => `${side} ${lineOf(record.id)} ${reason}`));
  }
  return {
    decisions,
    pairs: stored
      .map((one) => `${lineOf(one.left_record_id)}-${lineOf(one.right_record_id)} ${one.decision} ${one.score}`)
      .sort(),
    groups: (await Promise.all(groups.map((group) => groupText(tenant, group, lineOf)))).sort(),
    open: open.sort(),
  };
}

async function groupText(tenant: TestTenant, group: StoredGroup, lineOf: (id: string) => number): Promise<string> {
  const { body } = await tenant.api.get(`/v1/composite-matches/${group.id}`).expect(200);
  const { targetRecordId, members } = body as { targetRecordId: string; members: { recordId: string }[] };
  const { direction, decision, status, score } = group;
  const side = direction === 'one_to_many' ? 'left' : 'right';
  const rows = linesText(members.map(({ recordId }) => ({ line: lineOf(recordId) })));
  return `${side} ${lineOf(targetRecordId)}: ${rows} ${decision} ${status} ${score}`;
}

test.each(compareCases)('compare gives what a job of the service gives: $name', async (given) => {
  expect(await byCommand(given)).toEqual(await byService(await api.newTenant(), given));
});

test('compare gives what a job of the service gives: the sample of invoices and bank lines', async () => {
  const sample = (name: string): Promise<string> => readFile(path.join(__dirname, '..', 'sample', name), 'utf8');
  const first = (text: string, lines: number): string => text.split('\n').slice(0, lines).join('\n');
  const given = {
    name: 'sample',
    left: first(await sample('invoices.csv'), 800),
    right: first(await sample('bank-lines.csv'), 1_000),
    rules: JSON.parse(await sample('rule-set.json')) as CompareCase['rules'],
  };
  expect(await byCommand(given)).toEqual(await byService(await api.newTenant(), given));
});
