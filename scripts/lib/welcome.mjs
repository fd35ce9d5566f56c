import path from 'node:path';
import { jsonFile } from './settings.mjs';

const relative = (file) => {
  const short = path.relative(process.cwd(), file);
  return short === '' || short.startsWith('..') ? file : short;
};

/** Removes the password from a URL that is printed. */
const withoutPassword = (url) => Object.assign(new URL(url), { password: '' }).href;

/** Lists the addresses and files of the running Tieout. */
export function welcomeLines({ apiUrl, dashboardUrl, databaseUrl, user, settings, secrets }) {
  const kept = (name) => relative(path.join(settings.dataDirectory, name));
  const password = settings.dashboardPassword ? 'DASHBOARD_PASSWORD' : secrets.dashboardPassword;
  return [
    '',
    `  Console     ${apiUrl}/app${user ? `   email ${user.email}, password ${user.password}` : ''}`,
    `  API         ${apiUrl}`,
    `  Reference   ${apiUrl}/docs`,
    `  Dashboard   ${dashboardUrl}   user ${settings.dashboardUser}, password ${password}`,
    ...(settings.databaseUrl
      ? []
      : [`  Database    ${withoutPassword(databaseUrl)}   password in ${kept('database-password')}`]),
    `  Platform key in ${settings.platformKey ? 'PLATFORM_API_KEY' : kept('platform-key')} · logs in ${kept('logs')}`,
  ];
}

/** The demo's key and five calls to try with it, or how to make a tenant when there was no demo. */
export function demoLines({ apiUrl, stateFile }) {
  const demo = jsonFile(stateFile).read();
  if (!demo?.completedAt) {
    return ['', '  Make a tenant and its key:  npm run tenant:create -- --name "Acme"', '', 'Ctrl-C stops everything.'];
  }
  const key = `-H "x-api-key: $KEY"`;
  const record = {
    line_id: 'BL-TRY',
    booked_on: '2025-12-30',
    amount: '49.00',
    channel: 'transfer',
    text: 'TRANSFER FROM YOU',
  };
  const body = JSON.stringify({ externalId: record.line_id, body: record });
  return [
    '',
    "  Try (the key is the demo tenant's):",
    '',
    `  KEY=${demo.apiKey}`,
    `  curl ${key} '${apiUrl}/v1/matching-jobs/${demo.jobId}'`,
    `  curl ${key} '${apiUrl}/v1/matches?matchingJobId=${demo.jobId}&decision=POSSIBLE&limit=2'`,
    `  curl ${key} '${apiUrl}/v1/composite-matches?jobId=${demo.jobId}&decision=MATCH&limit=2'`,
    `  curl ${key} '${apiUrl}/v1/reconciliations/${demo.reconciliationId}/open-items?side=left&limit=2'`,
    `  curl ${key} -H 'content-type: application/json' '${apiUrl}/v1/records?dataset=bank_lines' -d '${body}'`,
    '',
    'Ctrl-C stops everything.',
  ];
}
