import { sign } from './signature';

const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: Buffer.from('{"test": 2432232314}'),
};

test('a secret of the form whsec_ signs as the published example of Standard Webhooks', () => {
  expect(sign(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], message)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test.each(['whsec_not base64', 'whsec_abc', 'whsec_', 'plain secret'])(
  'the secret "%s" signs with its own characters',
  (secret) => {
    expect(sign([secret], message)).not.toBe(sign([`${secret}x`], message));
  },
);

test('two secrets give two signatures with a space between', () => {
  expect(sign(['new secret', 'old secret'], message)).toBe(
    `${sign(['new secret'], message)} ${sign(['old secret'], message)}`,
  );
});
