import { createCipher } from '@tieout/infra';
import { testSecretsKey } from '@tieout/testing';
import { useDeliveryBench } from '../../testing/delivery-bench';
import { forgetOldSigningSecrets, rotateSigningSecret } from './secrets';
import { sign } from './signature';
import { deleteWebhook } from './webhooks';

const bench = useDeliveryBench();
const cipher = createCipher(testSecretsKey);
const monthSeconds = 30 * 86_400;

const rotate = (overlapSeconds: number, signingSecret?: string, by = cipher): Promise<string> => {
  const { scope, webhookId } = bench.subscriber;
  return rotateSigningSecret(scope, webhookId, { overlapSeconds, ...(signingSecret && { signingSecret }) }, by);
};

/** Makes the webhook look as if it was created before signing secrets existed. */
const forgetSigningSecret = (): Promise<number> =>
  bench.subscriber.scope.db.execute(`update webhooks set signing_secret = '' where id = $1::uuid`, [
    bench.subscriber.webhookId,
  ]);

/** Delivers an event, and expects it to be signed with these secrets and to carry the secret in Authorization. */
async function expectSignedWith(...secrets: string[]): Promise<void> {
  await bench.subscriber.emit();
  await bench.run();
  const { headers, body } = bench.received().at(-1) as ReturnType<typeof bench.received>[number];
  const message = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), body };
  expect([headers['authorization'], headers['webhook-signature']]).toEqual([
    bench.subscriber.secret,
    sign(secrets, message),
  ]);
}

test('a webhook of before signing secrets is signed with its secret', async () => {
  await forgetSigningSecret();
  await expectSignedWith(bench.subscriber.secret);
});

test('a changed secret leaves the signing secret as it is', async () => {
  const { signingSecret, update } = bench.subscriber;
  await update('another secret');
  await bench.subscriber.emit();
  await bench.run();
  const { headers, body } = bench.received().at(-1) as ReturnType<typeof bench.received>[number];
  const message = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), body };
  expect(headers['webhook-signature']).toBe(sign([signingSecret], message));
});

test('a rotation without an overlap ends the old signing secret at once, also one that an overlap kept', async () => {
  await rotate(monthSeconds);
  await expectSignedWith(await rotate(0));
});

test('a rotation during an overlap keeps the last two', async () => {
  const second = await rotate(monthSeconds);
  await expectSignedWith(await rotate(monthSeconds), second);
});

test('a webhook of before signing secrets is signed with its secret too, until the overlap ends', async () => {
  await forgetSigningSecret();
  const rotated = await rotate(monthSeconds, 'a text of more than 24 characters'.replaceAll(' ', '-'));
  await expectSignedWith(rotated, bench.subscriber.secret);
});

test('the later of two concurrent rotations keeps the signing secret of the earlier one', async () => {
  const [one, other] = await Promise.all([rotate(monthSeconds), rotate(monthSeconds)]);
  await bench.subscriber.emit();
  await bench.run();
  const { headers, body } = bench.received().at(-1) as ReturnType<typeof bench.received>[number];
  const message = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), body };
  expect([sign([one, other] as string[], message), sign([other, one] as string[], message)]).toContain(
    headers['webhook-signature'],
  );
});

test('a delivery waits for the key of a signing secret, and uses up no attempt', async () => {
  const both = createCipher(`${'cd'.repeat(32)},${testSecretsKey}`);
  await rotate(0, undefined, both);
  await bench.subscriber.emit();
  await bench.run();
  expect([bench.received().length, (await bench.only()).attempts]).toEqual([0, 0]);
  await rotateSigningSecret(bench.subscriber.scope, bench.subscriber.webhookId, { overlapSeconds: 0 }, both);
  const keyed = bench.newDeliverer({}, bench.service.deps.db, `${testSecretsKey},${'cd'.repeat(32)}`);
  await keyed.deliverDue(bench.subscriber.scope.tenantId);
  await bench.receiver.received(1, bench.subscriber.path);
  await keyed.close();
});

test('a signing secret whose key is lost can be replaced, without an overlap', async () => {
  const lost = createCipher('cd'.repeat(32));
  await rotate(0, undefined, createCipher(`${'cd'.repeat(32)},${testSecretsKey}`));
  expect(lost.keyIds).not.toEqual(cipher.keyIds);
  await expect(rotate(60)).rejects.toMatchObject({ code: 'conflict' });
  await expectSignedWith(await rotate(0));
});

test('old signing secrets are forgotten when they sign no longer, and all secrets with the webhook', async () => {
  const { scope, webhookId } = bench.subscriber;
  const read = () =>
    scope.db.query(
      `select signing_secret = '' as signing, old_signing_secret = '' as old from webhooks where id = $1::uuid`,
      [webhookId],
    );
  await rotate(monthSeconds);
  await forgetOldSigningSecrets(bench.service.deps.db.system);
  expect(await read()).toEqual([{ signing: false, old: false }]);
  await scope.db.execute(`update webhooks set old_signing_until = now() where id = $1::uuid`, [webhookId]);
  await forgetOldSigningSecrets(bench.service.deps.db.system);
  expect(await read()).toEqual([{ signing: false, old: true }]);
  await rotate(monthSeconds);
  await deleteWebhook(scope, webhookId);
  expect(await read()).toEqual([{ signing: true, old: true }]);
  await expect(rotate(0)).rejects.toMatchObject({ code: 'webhook_not_found' });
});

// This test is the last one, because it advances the clock of the tests.
test('both signing secrets sign until the overlap ends, then the new one', async () => {
  const { signingSecret: first } = bench.subscriber;
  const second = await rotate(monthSeconds);
  await expectSignedWith(second, first);
  bench.advance(monthSeconds * 1000 - 60_000);
  await expectSignedWith(second, first);
  bench.advance(120_000);
  await expectSignedWith(second);
});
