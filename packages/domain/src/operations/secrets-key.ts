import { isDatabaseUnavailable, keyIdOf, messageOf, type Cipher, type Logger, type SystemDb } from '@tieout/infra';

/** Columns with encrypted secrets; an empty text holds none. */
const encryptedColumns = [
  { table: 'webhooks', column: 'secret' },
  { table: 'webhooks', column: 'signing_secret' },
  { table: 'webhooks', column: 'old_signing_secret' },
  { table: 'items', column: 'parameters' },
] as const;

interface SecretsKeyCheck {
  db: SystemDb;
  cipher: Pick<Cipher, 'keyIds'>;
  /** SECRETS_LOST_KEYS: the ids of keys that the operator has given up. */
  lostKeys: string | undefined;
  logger: Logger;
}

/**
 * Refuses to work when the database holds secrets and no given key decrypts any of them: the right key is lost, or the
 * given keys belong to another deployment, and would encrypt new secrets. When one key fits and another is missing, the
 * processes that need the missing one report it. A database that does not answer is accepted.
 * @throws Error that names the keys and says what to do
 */
export async function requireSecretsKey({ db, cipher, lostKeys, logger }: SecretsKeyCheck): Promise<void> {
  let used: string[];
  try {
    used = await usedKeys(db);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    logger.warn({ reason: messageOf(error) }, 'the database does not answer: the keys of its secrets are not checked');
    return;
  }
  const givenUp = lostKeys?.split(',') ?? [];
  const expected = used.filter((keyId) => !givenUp.includes(keyId));
  if (expected.length === 0 || used.some((keyId) => cipher.keyIds.includes(keyId))) return;
  throw new Error(
    `SECRETS_KEY is lost: the database holds secrets that are encrypted with ${expected.join(', ')}, and SECRETS_KEY ` +
      `has only ${cipher.keyIds.join(', ')}. Put the lost key behind it, SECRETS_KEY=<this>,<lost>; with npm start, ` +
      'put the file secrets-key back into DATA_DIR. If the key is lost for good, set ' +
      `SECRETS_LOST_KEYS=${used.join(',')} and have the secrets entered again (docs/how-to/runbook.md, ` +
      '"A key is missing in SECRETS_KEY")',
  );
}

async function usedKeys(db: SystemDb): Promise<string[]> {
  const perColumn = encryptedColumns.map(
    ({ table, column }) => `select ${keyIdOf(column)} as "keyId" from ${table} where ${column} <> ''`,
  );
  const rows = await db.query<{ keyId: string }>(`${perColumn.join(' union ')} order by 1`);
  return rows.map(({ keyId }) => keyId);
}
