import fs from 'node:fs';
import path from 'node:path';
import { apiClient } from '../../tools/api-client.mjs';
import { keptSecret, newPassword } from '../../tools/secrets.mjs';

const email = 'demo@example.com';
const passwordFile = 'demo-password';

/**
 * Makes the first user of the demo tenant, with a password that the data directory keeps. It may be interrupted at any
 * point: the password is kept once the user has it.
 *
 * @returns {Promise<{ email: string, password: string }>}
 */
export async function makeFirstUser({ baseUrl, platformKey, tenantId, dataDirectory, signal }) {
  const headers = { 'x-api-key': platformKey, 'x-tenant-id': tenantId };
  const api = apiClient({ baseUrl, headers, signal });
  const isKept = fs.existsSync(path.join(dataDirectory, passwordFile));
  const password = isKept ? keptSecret(dataDirectory, passwordFile, newPassword) : newPassword();
  let user;
  for await (const one of api.list('/v1/users')) if (one.email === email) user = one;
  if (!user?.has_password || !isKept) {
    const invited = user
      ? await api.post(`/v1/users/${user.id}/invitation`)
      : await api.post('/v1/users', { email, name: 'Demo', role: 'admin' });
    await api.post('/v1/users/accept', { token: invited.invitation.token, password });
    keptSecret(dataDirectory, passwordFile, () => password);
  }
  return { email, password };
}
