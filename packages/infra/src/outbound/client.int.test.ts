import { behaviours, startHttpsReceiver, type HttpsReceiver } from '@tieout/testing';
import { createOutboundClient } from './client';

let receiver: HttpsReceiver;
beforeAll(async () => {
  receiver = await startHttpsReceiver();
});
afterAll(() => receiver.stop());

test('a request arrives with the headers and bytes that it was given', async () => {
  const client = createOutboundClient(receiver.policy, { resolve: receiver.resolve });
  receiver.on('/hook', behaviours.answer(200, 'thanks'));
  const headers = { 'Content-Type': 'application/json', Authorization: 'a secret' };
  const result = await client.post({ url: receiver.url('/hook'), headers, body: Buffer.from('{"a":1}'), deadlineMs: 5_000 });
  await client.close();
  expect(result).toMatchObject({ outcome: 'delivered', httpStatus: 200, responseSnippet: 'thanks', bodyState: 'complete', error: null });
  expect(receiver.requests('/hook')).toMatchObject([{ method: 'POST', body: Buffer.from('{"a":1}'), headers: { 'content-type': 'application/json', authorization: 'a secret' } }]);
});
