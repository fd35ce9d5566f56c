import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** A secret that stays the same over starts: kept in a file that only its owner reads, made when it is absent. */
export function keptSecret(directory, name, make) {
  const file = path.join(directory, name);
  if (fs.existsSync(file)) {
    const kept = fs.readFileSync(file, 'utf8').trim();
    if (kept !== '') return kept;
  }
  const secret = make();
  const draft = `${file}.new`;
  fs.writeFileSync(draft, `${secret}\n`, { mode: 0o600 });
  fs.chmodSync(draft, 0o600);
  fs.renameSync(draft, file);
  return secret;
}

export const newPlatformKey = () => `platform_${crypto.randomBytes(32).toString('base64url')}`;
export const newSecretsKey = () => crypto.randomBytes(32).toString('base64');
export const newPassword = () => crypto.randomBytes(12).toString('base64url');
