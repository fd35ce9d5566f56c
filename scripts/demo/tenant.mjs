import { apiClient } from '../../tools/api-client.mjs';

/** Makes a tenant for a demo, and gives a client with its key. */
export async function openDemoTenant({ baseUrl, platformKey, signal }, name) {
  const platform = (headers) => apiClient({ baseUrl, signal, headers: { 'x-api-key': platformKey, ...headers } });
  const { id } = await platform({}).post('/v1/tenants', { name });
  const { key } = await platform({ 'x-tenant-id': id }).post('/v1/api-keys', { label: name.toLowerCase() });
  return apiClient({ baseUrl, signal, headers: { 'x-api-key': key } });
}
