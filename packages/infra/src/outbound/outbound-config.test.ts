import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError } from '../kernel/errors';
import { outboundPolicy } from './outbound-config';

const folder = mkdtempSync(path.join(tmpdir(), 'tieout-outbound-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('lists may hold spaces; what is not set allows nothing', () => {
  expect(outboundPolicy({ WEBHOOK_ALLOWED_PORTS: '443, 8443' })).toEqual({ allowedPorts: [443, 8443], allowCidrs: [] });
  expect(
    outboundPolicy({ WEBHOOK_ALLOWED_PORTS: '443', WEBHOOK_ALLOW_CIDRS: '10.1.0.0/16, fd00::/8' }).allowCidrs,
  ).toEqual(['10.1.0.0/16', 'fd00::/8']);
});

const text = path.join(folder, 'text.pem');
writeFileSync(text, 'no certificate');

test.each([
  ['WEBHOOK_ALLOWED_PORTS', ','],
  ['WEBHOOK_ALLOWED_PORTS', '443;8443'],
  ['WEBHOOK_ALLOWED_PORTS', '443,https'],
  ['WEBHOOK_ALLOWED_PORTS', '0'],
  ['WEBHOOK_ALLOWED_PORTS', '70000'],
  ['WEBHOOK_ALLOW_CIDRS', '10.0.0.1'],
  ['WEBHOOK_ALLOW_CIDRS', '10.0.0/8'],
  ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33'],
  ['WEBHOOK_ALLOW_CIDRS', 'fd00::/129'],
  ['WEBHOOK_ALLOW_CIDRS', 'localhost/8'],
  ['WEBHOOK_EXTRA_CA_FILE', path.join(folder, 'absent.pem')],
  ['WEBHOOK_EXTRA_CA_FILE', text],
])('%s=%s is refused by its name', (name, value) => {
  const read = (): unknown => outboundPolicy({ WEBHOOK_ALLOWED_PORTS: '443', [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(name);
});
