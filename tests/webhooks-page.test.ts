import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './support/architecture/load';

const page = fs.readFileSync(path.join(root, 'docs/how-to/webhooks.md'), 'utf8');
const example = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';

interface Message {
  headers: Record<string, string>;
  /** base64 */
  body: string;
  secret: string;
  signingSecret: string;
  now: number;
}

const runs: [string, string, string[]][] = [
  [
    'Node',
    process.execPath,
    [
      '-e',
      `${example('js')}
    const judged = ({ headers, body, now, ...secrets }) =>
      isFromTieout(headers, Buffer.from(body, 'base64'), secrets, now);
    process.stdout.write(JSON.stringify(JSON.parse(require('node:fs').readFileSync(0, 'utf8')).map(judged)));`,
    ],
  ],
  [
    'Python',
    'python3',
    [
      '-c',
      `${example('python')}
import json, sys
def judged(message):
    body = base64.b64decode(message["body"])
    secrets = (message["secret"], message["signingSecret"])
    return is_from_tieout(message["headers"], body, *secrets, message["now"])
json.dump([judged(message) for message in json.load(sys.stdin)], sys.stdout)`,
    ],
  ],
];

const now = 1_789_000_000;
const body = Buffer.from('{"event":"ITEM_UPDATED","data":{"eventId":"1","name":"ação"}}');

function signed(signingSecret: string, key: Buffer, secret = 'of Authorization'): Message {
  const signature = createHmac('sha256', key).update(`msg.${now}.`).update(body).digest('base64');
  const headers = {
    authorization: secret,
    'webhook-id': 'msg',
    'webhook-timestamp': String(now),
    'webhook-signature': `v1,${signature}`,
  };
  return { headers, body: body.toString('base64'), secret, signingSecret, now };
}

const encoded = signed(
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'),
);
const plain = signed('a plain secret', Buffer.from('a plain secret'));
const withHeader = (name: string, value: string): Message => ({
  ...encoded,
  headers: { ...encoded.headers, [name]: value },
});

const messages: [string, Message, boolean][] = [
  ['a message signed with an encoded secret', encoded, true],
  ['a message signed with a plain secret', plain, true],
  [
    'a message signed with what Authorization carries',
    signed('one for both', Buffer.from('one for both'), 'one for both'),
    true,
  ],
  ['a message signed with another signing secret', { ...encoded, signingSecret: 'another' }, false],
  [
    'a message signed with what Authorization carries, not with the signing secret',
    { ...encoded, signingSecret: encoded.secret },
    false,
  ],
  ...['whsec_not base64', 'whsec_abc', 'whsec_', 'whsec_!!!!', 'whsec_abcd\u002d'].map(
    (secret): [string, Message, boolean] => [
      `a message signed with the secret ${secret}`,
      signed(secret, Buffer.from(secret)),
      true,
    ],
  ),
  [
    'a message with a further signature',
    withHeader('webhook-signature', `v1,AAAA ${encoded.headers['webhook-signature']}`),
    true,
  ],
  ['another body', { ...encoded, body: Buffer.from(`${body.toString()} `).toString('base64') }, false],
  ['another secret', withHeader('authorization', 'whsec_AAAA'), false],
  ['another id', withHeader('webhook-id', 'other'), false],
  ['another time', withHeader('webhook-timestamp', String(now + 1)), false],
  ['no time', withHeader('webhook-timestamp', ''), false],
  ...['²', '１７８９００００００', '1e9', '-1', '9'.repeat(5_000), 'NaN', ` ${now}`].map(
    (time): [string, Message, boolean] => [
      `the time ${time.slice(0, 20)}`,
      withHeader('webhook-timestamp', time),
      false,
    ],
  ),
  ...['v1', 'v1,ação', ',', ' '].map((signature): [string, Message, boolean] => [
    `the signature ${JSON.stringify(signature)}`,
    withHeader('webhook-signature', signature),
    false,
  ]),
  ['an odd authorization', withHeader('authorization', 'ação'), false],
  ['no signature', withHeader('webhook-signature', ''), false],
  ['a message of ten minutes ago', { ...encoded, now: now + 600 }, false],
];

describe.each(runs)('the example in %s', (_language, command, args) => {
  const there = spawnSync(command, ['--version']).status === 0;

  let judged: unknown[] = [];

  // One process judges all: each start takes as long as hundreds of judgements.
  beforeAll(() => {
    if (!there) return;
    const input = JSON.stringify(messages.map(([, message]) => message));
    const { stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    judged = JSON.parse(stdout) as unknown[];
  });

  const cases = messages.map(([what, , wanted], index) => ({ what, index, wanted }));
  (there ? test : test.skip).each(cases)('judges $what', ({ index, wanted }) => {
    expect(judged[index]).toBe(wanted);
  });
});
