import { serve, type Answer } from '../testing/server';
import { createClient } from './client';
import { TieoutError } from './error';
import type { Operations } from './generated/operations';
import { waitForJob } from './wait-for-job';

const clientWith = (...states: string[]) => {
  let asked = 0;
  const getMatchingJob = () => Promise.resolve({ id: 'j1', status: states[Math.min(asked++, states.length - 1)] });
  return { getMatchingJob } as unknown as Pick<Operations, 'getMatchingJob'>;
};

test.each([['completed'], ['failed'], ['cancelled']])('it resolves with a job that is %s', async (status) => {
  expect(await waitForJob(clientWith('queued', status), 'j1')).toMatchObject({ status });
});

test('each new state is reported once', async () => {
  const seen: string[] = [];
  await waitForJob(clientWith('queued', 'running', 'running', 'completed'), 'j1', {
    onProgress: ({ status }) => seen.push(status),
  });
  expect(seen).toEqual(['queued', 'running', 'completed']);
});

test('after its time it says that the job goes on', async () => {
  await expect(waitForJob(clientWith('running'), 'j1', { timeoutMs: 1 })).rejects.toMatchObject({
    code: 'still_running',
    message: 'The job j1 is still running after 1 ms.',
  });
});

test('it ends when the caller aborts', async () => {
  const abort = new AbortController();
  const waiting = waitForJob(clientWith('running'), 'j1', { signal: abort.signal });
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('it outlasts a restart of the service', async () => {
  const answers = [
    () => Promise.reject(new TieoutError('no answer', { status: 0, code: 'no_answer' })),
    () => Promise.reject(new TieoutError('starting', { status: 503, code: 'service_unavailable' })),
    () => Promise.resolve({ id: 'j1', status: 'completed' }),
  ];
  const client = { getMatchingJob: () => answers.shift()?.() } as unknown as Pick<Operations, 'getMatchingJob'>;
  expect(await waitForJob(client, 'j1')).toMatchObject({ status: 'completed' });
});

test('it ends when the job is not there', async () => {
  const missing = new TieoutError('no job', { status: 404, code: 'matching_job_not_found' });
  const client = { getMatchingJob: () => Promise.reject(missing) } as unknown as Pick<Operations, 'getMatchingJob'>;
  await expect(waitForJob(client, 'j1')).rejects.toBe(missing);
});

test('its time runs while no answer comes', async () => {
  const gone = new TieoutError('no answer', { status: 0, code: 'no_answer' });
  const client = { getMatchingJob: () => Promise.reject(gone) } as unknown as Pick<Operations, 'getMatchingJob'>;
  await expect(waitForJob(client, 'j1', { timeoutMs: 1 })).rejects.toBe(gone);
});

test.each([
  ['is answered', [{ json: { id: 'j1', status: 'running' } }, { never: true }], 'still_running'],
  ['gets no answer at all', [{ never: true }], 'no_answer'],
] satisfies [string, Answer[], string][])('its time bounds a request that %s', async (_, answers, code) => {
  const server = await serve(...answers);
  const waiting = createClient({ baseUrl: server.url }).waitForJob('j1', { timeoutMs: 1_000 });
  await expect(waiting).rejects.toMatchObject({ code, message: expect.stringContaining('1000 ms') as string });
  await server.close();
});
