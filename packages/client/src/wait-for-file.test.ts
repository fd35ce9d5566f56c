import { createClient } from './client';
import { serve, type Answer } from '../testing/server';

const path = { dataSourceId: 's1', fileId: 'f1' };
const file = (status: string): Answer => ({ json: { id: 'f1', status } });

test.each([['ready'], ['failed']])(
  'it resolves with a file that is %s, and tells the states before',
  async (status) => {
    const server = await serve(file('uploaded'), file('processing'), file(status));
    const seen: string[] = [];
    const tieout = createClient({ baseUrl: server.url });
    const read = await tieout.files.wait(path, { onProgress: (state) => seen.push(state.status) });
    await server.close();
    expect([read.status, seen]).toEqual([status, ['uploaded', 'processing', status]]);
    expect(server.received[0]?.url).toBe('/v1/data-sources/s1/files/f1');
  },
);

test('it outlasts a restart of the service', async () => {
  const down: Answer[] = [{ hangUp: true }, { status: 503, text: 'starting' }];
  const server = await serve(file('processing'), ...down, ...down, file('ready'));
  const tieout = createClient({ baseUrl: server.url, maxRetries: 1 });
  expect((await tieout.files.wait(path)).status).toBe('ready');
  await server.close();
});
