import { createInterface } from 'node:readline/promises';
import { createClient, TieoutError } from '@tieout/client';
import type { Command } from 'commander';
import { CommandError } from '../failure';
import { jsonText, writeAll } from '../output/print';
import { readServiceSettings } from '../service/config';
import { writeProfile, type Profile } from '../service/profiles';
import { defaultProfile, defaultUrl, refuseNoAddress } from '../service/session';
import type { CommandContext } from './context';

interface LoginOptions {
  url?: string;
  key?: string;
  profile?: string;
  tenant?: string;
  json?: true;
}

export function addLogin(program: Command, { terminal }: CommandContext): void {
  program
    .command('login')
    .description('keep an address and a key in a file that only you can read')
    .option('--url <address>', `the address of the service (default: ${defaultUrl})`)
    .option('--key <key>', 'the key; without it, it is read from the standard input')
    .option('--profile <name>', 'the name under which they are kept', defaultProfile)
    .option('--tenant <id>', 'the tenant to act for, with the platform key')
    .option('--json', 'print JSON')
    .action(async ({ url = defaultUrl, key, profile = defaultProfile, tenant, json }: LoginOptions) => {
      refuseNoAddress('--url', url);
      const given = (key ?? (await readKey(terminal))).trim();
      if (given === '') throw new CommandError('The key is empty: create one with POST /v1/api-keys');
      const kept = { url, key: given, ...(tenant !== undefined && { tenant }) };
      await checkKey(kept);
      const { file } = readServiceSettings(terminal.env);
      await writeProfile(file, profile, kept);
      const told = `The key works; it is kept as profile "${profile}" in ${file}\n`;
      await writeAll(terminal.out, [json ? jsonText({ url, profile, file }) : told]);
    });
}

async function readKey({ in: input, err }: CommandContext['terminal']): Promise<string> {
  if (input.isTTY) err.write('Key: ');
  const lines = createInterface({ input });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}

/** A key without the scope of this question is a key nevertheless. */
async function checkKey({ url, key, tenant }: Profile): Promise<void> {
  try {
    await createClient({ baseUrl: url, apiKey: key, tenantId: tenant, maxRetries: 1 }).listDatasets({
      query: { limit: 1 },
    });
  } catch (error) {
    if (error instanceof TieoutError && error.status === 403) return;
    throw error;
  }
}
