import { openBooks, startTestApi, type Books, type RuleSetBody, type TestApi } from '../../../testing';

let api: TestApi;
let books: Books;
let ruleSet: RuleSetBody;

interface QualityBody {
  pairs: number;
  true_pairs: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
}

interface MistakeBody {
  left_external_id: string;
  right_external_id: string;
  reason: string | null;
  score: number | null;
  explanation: { matchers: { id: string; value: number }[] } | null;
}

interface EvaluationBody {
  true_pairs: number;
  pairwise: QualityBody;
  one_to_one: QualityBody;
  by_decision: { decision: string; pairs: number | null; true_pairs: number }[];
  by_threshold: (QualityBody & { threshold: number; one_to_one: QualityBody })[];
  without_matcher: (QualityBody & { id: string })[];
  wrong: { total: number; items: MistakeBody[] };
  missed: { total: number; items: MistakeBody[] };
  warnings: { code: string; message: string }[];
}

const truth = [
  { left: 'l0', right: 'r0' },
  { left: 'l1', right: 'r1' },
  { left: 'l2', right: 'r2' },
  { left: 'l3', right: 'r3' },
];

const evaluate = async (body: object): Promise<EvaluationBody> =>
  (await books.tenant.api.post(`/v1/rule-sets/${ruleSet.id}/evaluate`, body).expect(200)).body as EvaluationBody;
const pairsOf = ({ items }: EvaluationBody['wrong']): string[] =>
  items.map((one) => `${one.left_external_id}|${one.right_external_id} ${one.reason} ${one.score}`);

beforeAll(async () => {
  api = await startTestApi();
  books = await openBooks(
    api,
    [
      { ref: 1, name: 'a', kind: 'x' },
      { ref: 2, name: 'b', kind: 'x' },
      { ref: 3, name: 'c', kind: 'x' },
      { ref: 4, name: 'd', kind: 'y' },
    ],
    [
      { ref: 1, name: 'a', kind: 'x' },
      { ref: 2, name: 'other', kind: 'x' },
      { ref: 9, name: 'other', kind: 'x' },
      { ref: 4, name: 'd', kind: 'z' },
      { ref: 1, name: 'a', kind: 'x' },
    ],
  );
  ruleSet = await books.ruleSet({
    engine: 'jsonata-batch',
    params: {
      Tmatch: 0.9,
      Tpossible: 0.5,
      blocking: { keys: [{ expr: 'kind' }] },
      matchers: [
        { id: 'ref', expr: 'left.ref = right.ref', weight: 6 },
        { id: 'name', expr: 'left.name = right.name', weight: 4 },
      ],
    },
  });
});

afterAll(() => api.close());

test('without results there is nothing to evaluate', async () => {
  const { body } = await books.tenant.api.post(`/v1/rule-sets/${ruleSet.id}/evaluate`, { truth }).expect(409);
  expect((body as { message: string }).message).toContain('start one first');
});

describe('once a job is completed', () => {
  beforeAll(async () => {
    await books.reconcile();
  });

  test('the figures count what the job kept against the truth', async () => {
    const found = await evaluate({ truth });
    expect(found).toMatchObject({
      true_pairs: 4,
      pairwise: { pairs: 2, true_pairs: 1, precision: 0.5, recall: 0.25, f1: 1 / 3 },
      one_to_one: { pairs: 1, true_pairs: 1, precision: 1, recall: 0.25 },
      by_decision: [
        { decision: 'MATCH', pairs: 2, true_pairs: 1 },
        { decision: 'POSSIBLE', pairs: 1, true_pairs: 1 },
        { decision: 'NO_MATCH', pairs: null, true_pairs: 2 },
      ],
      warnings: [],
    });
    expect(found.without_matcher).toMatchObject([
      { id: 'ref', pairs: 2, true_pairs: 1 },
      { id: 'name', pairs: 3, true_pairs: 2 },
    ]);
  });

  test('the curve shows what each threshold would match', async () => {
    const { by_threshold: curve } = await evaluate({ truth });
    expect(curve).toHaveLength(51);
    const at = (threshold: number) => curve.find((point) => point.threshold === threshold);
    expect(at(0.5)).toMatchObject({ pairs: 3, true_pairs: 2, recall: 0.5, one_to_one: { pairs: 2, true_pairs: 2 } });
    expect(at(0.6)).toMatchObject({ pairs: 3 });
    expect(at(0.61)).toMatchObject({ pairs: 2, true_pairs: 1 });
    expect(at(1)).toMatchObject({ pairs: 2, one_to_one: { pairs: 1, precision: 1 } });
  });

  test('wrong and missed pairs come with what the rules say of them', async () => {
    const { wrong, missed } = await evaluate({ truth });
    expect(pairsOf(wrong)).toEqual(['l0|r4 null 1']);
    expect(pairsOf(missed)).toEqual(['l1|r1 possible 0.6', 'l2|r2 below_threshold 0', 'l3|r3 not_compared 1']);
    expect(missed.items[0]?.explanation?.matchers).toMatchObject([
      { id: 'ref', value: 1 },
      { id: 'name', value: 0 },
    ]);
    expect(missed.items[2]).toMatchObject({
      decision: null,
      explanation: { matchers: [{ id: 'ref' }, { id: 'name' }] },
    });
    expect((await evaluate({ truth, limit: 1 })).missed).toMatchObject({ total: 3, items: [{ reason: 'possible' }] });
  });

  test('the CSV has all of them', async () => {
    const { text } = await books.tenant.api.post(`/v1/rule-sets/${ruleSet.id}/evaluate.csv`, { truth }).expect(200);
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toBe('kind,left_external_id,right_external_id,score,decision,reason,explanation');
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 6).join(','))).toEqual([
      'wrong,l0,r4,1,MATCH,',
      'missed,l1,r1,0.6,POSSIBLE,possible',
      'missed,l2,r2,0,NO_MATCH,below_threshold',
      'missed,l3,r3,1,,not_compared',
    ]);
  });

  test('a partial truth judges only pairs of its records', async () => {
    const found = await evaluate({ truth: [{ left: 'l1', right: 'r1' }], partial: true });
    expect(found).toMatchObject({ true_pairs: 1, pairwise: { pairs: 0, precision: null, recall: 0, f1: null } });
  });

  test('a dataset names pairs, repeated and unknown ones do not count', async () => {
    const rows = [...truth, ...truth, { left: 'nobody', right: 'r0' }].map(({ left, right }, at) => ({
      externalId: String(at),
      body: { ours: left, theirs: right },
    }));
    await books.tenant.api.post('/v1/records/bulk?dataset=truth', rows).expect(202);
    await api.runIngest();
    const found = await evaluate({ truth: { dataset: 'truth', left: 'ours', right: 'theirs' } });
    expect(found).toMatchObject({ true_pairs: 4, warnings: [{ code: 'unknown_records' }] });
    expect(found.warnings[0]?.message).toMatch(/^1 pair left out .*"nobody"/);
  });

  test.each([
    [{ dataset: 'none', left: 'a', right: 'b' }, '/truth/dataset'],
    [{ dataset: 'left', left: 'nothing', right: 'ref' }, '/truth/left'],
  ])('%j is refused with its path', async (given, path) => {
    const { body } = await books.tenant.api.post(`/v1/rule-sets/${ruleSet.id}/evaluate`, { truth: given }).expect(400);
    expect((body as { errors: { path: string }[] }).errors).toMatchObject([{ path }]);
  });

  test('what people decided counts, and a later version is warned of', async () => {
    const matches = await books.matches();
    const review = (pair: string, action: string) =>
      books.tenant.api.post(`/v1/matches/${matches[pair]?.id}/review`, { action }).expect(200);
    await review('l1|r1', 'confirm');
    await review('l0|r4', 'reject');
    await books.tenant.api.patch(`/v1/rule-sets/${ruleSet.id}`, { name: 'renamed', logicJson: { a: 1 } }).expect(200);
    const found = await evaluate({ truth });
    expect(found).toMatchObject({ pairwise: { pairs: 2, true_pairs: 2, precision: 1 }, wrong: { total: 0 } });
  });
});
