import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { ConfigError } from '../kernel/errors';
import { messageOf } from '../kernel/errors';
import { addressRules } from './addresses';
import type { OutboundPolicy } from './types';

/** Settings for apps that send requests to hosts named by tenants, to be spread into their schemas. */
export const outboundSettings = {
  WEBHOOK_ALLOWED_PORTS: Type.String({ default: '443,8443', description: 'Ports that urls of webhooks may use' }),
  WEBHOOK_ALLOW_CIDRS: Type.Optional(
    Type.String({
      description:
        'Address ranges that webhooks may reach though they are not public: 10.1.0.0/16,fd00::/8. Default: none',
    }),
  ),
  WEBHOOK_EXTRA_CA_FILE: Type.Optional(
    Type.String({ description: 'PEM file of certificate authorities that receivers may have besides the public ones' }),
  ),
} as const;

interface OutboundEnvironment {
  WEBHOOK_ALLOWED_PORTS: string;
  WEBHOOK_ALLOW_CIDRS?: string;
  WEBHOOK_EXTRA_CA_FILE?: string;
}

const items = (list: string): string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

/**
 * Reads the policy from the settings.
 * @throws ConfigError naming the setting
 */
export function outboundPolicy(env: OutboundEnvironment): OutboundPolicy {
  const ports = items(env.WEBHOOK_ALLOWED_PORTS);
  if (ports.length === 0 || !ports.every(isPort))
    throw fault('WEBHOOK_ALLOWED_PORTS', 'must be ports from 1 to 65535 with commas between, such as 443,8443');
  const allowCidrs = items(env.WEBHOOK_ALLOW_CIDRS ?? '');
  try {
    addressRules(allowCidrs);
  } catch (error) {
    throw fault('WEBHOOK_ALLOW_CIDRS', messageOf(error));
  }
  const file = env.WEBHOOK_EXTRA_CA_FILE;
  return {
    allowedPorts: ports.map(Number),
    allowCidrs,
    ...(file === undefined ? {} : { extraCa: readCertificates(file) }),
  };
}

const fault = (setting: string, message: string): ConfigError =>
  new ConfigError(`Invalid settings:\n  ${setting} ${message}`);

function readCertificates(file: string): Buffer {
  try {
    const pem = readFileSync(file);
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    throw fault('WEBHOOK_EXTRA_CA_FILE', `must name a file with certificates in PEM (${messageOf(error)})`);
  }
}
