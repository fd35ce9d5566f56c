import { randomBytes } from 'node:crypto';
import { AppError, invalid, type Cipher, type CipherContext, type FieldError, type Queries } from '@tieout/infra';
import { recordAudit } from '../audit';
import type { TenantScope } from '../kernel/scope';
import { keyOf } from './signature';

export const secretPurpose = 'webhooks.secret';

/** Binds an encrypted secret to its row: in another row, or another column, it cannot be decrypted. */
const bindingOf =
  (purpose: string) =>
  (tenantId: string, id: string): CipherContext => ({ tenantId, purpose, rowId: id });

/** The context of what `Authorization` carries. */
export const secretBinding = bindingOf(secretPurpose);
export const signingBinding = bindingOf('webhooks.signing_secret');
export const oldSigningBinding = bindingOf('webhooks.old_signing_secret');

const generatedBytes = 32;
const minBytes = 24;
const maxBytes = 64;

export const newSigningSecret = (): string => `whsec_${randomBytes(generatedBytes).toString('base64')}`;

const encodedForm = /^whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const plainForm = /^(?!whsec_)[\x21-\x7E]+$/;

/** Returns what is wrong with a signing secret. @param secret what `Authorization` carries, for receivers to read */
export function signingSecretFaults(signingSecret: string, secret: string | undefined): FieldError[] {
  const fault = (message: string): FieldError[] => [{ path: '/signingSecret', code: 'signing_secret', message }];
  const isReadable = encodedForm.test(signingSecret) || plainForm.test(signingSecret);
  const bytes = isReadable ? keyOf(signingSecret).length : 0;
  if (bytes < minBytes || bytes > maxBytes) {
    return fault(
      `must be whsec_ and ${minBytes} to ${maxBytes} random bytes in base64, or as many printable ASCII characters ` +
        'without spaces; leave it out, and a new one is made',
    );
  }
  return signingSecret === secret ? fault('must differ from secret, which every request carries') : [];
}

/** Undefined: its key is lost. */
function opened(cipher: Cipher, envelope: string, context: CipherContext): string | undefined {
  try {
    return cipher.decrypt(envelope, context);
  } catch {
    return undefined;
  }
}

export interface SigningRotation {
  /** Default: a new one. */
  signingSecret?: string;
  /** Time in which the secret that has signed until now signs as well. */
  overlapSeconds: number;
}

/**
 * Gives a webhook another signing secret. Until the overlap ends, the one before it signs as well; an overlap that has
 * not ended yet ends now. A webhook without a signing secret has signed with its secret. Only the result shows it.
 * @throws AppError webhook_not_found, validation_error; conflict when an overlap needs a secret whose key is lost
 */
export async function rotateSigningSecret(
  scope: TenantScope,
  id: string,
  { signingSecret = newSigningSecret(), overlapSeconds }: SigningRotation,
  cipher: Cipher,
): Promise<string> {
  const { tenantId } = scope;
  return scope.transaction(async (tx) => {
    const { db } = tx;
    const [held] = await db.query<{ secret: string; signingSecret: string }>(
      `select secret, signing_secret as "signingSecret" from webhooks
        where tenant_id = $1::uuid and id = $2::uuid and deleted_at is null for update`,
      [tenantId, id],
    );
    if (!held) throw new AppError('webhook_not_found', 'Webhook not found');
    const secret = opened(cipher, held.secret, secretBinding(tenantId, id));
    const old = held.signingSecret === '' ? secret : opened(cipher, held.signingSecret, signingBinding(tenantId, id));
    if (old === undefined && overlapSeconds > 0)
      throw new AppError('conflict', 'What signs now cannot be decrypted any more: rotate it with overlapSeconds 0');
    const errors = signingSecretFaults(signingSecret, secret);
    if (errors.length === 0 && signingSecret === old)
      errors.push({ path: '/signingSecret', code: 'signing_secret', message: 'is the current one: give another one' });
    if (errors.length > 0) throw invalid(errors);
    await db.execute(
      `update webhooks set signing_secret = $3, updated_at = now(),
              old_signing_secret = case when $5::int > 0 then $4 else '' end,
              old_signing_until = case when $5::int > 0 then now() + make_interval(secs => $5::int) end
        where tenant_id = $1::uuid and id = $2::uuid`,
      [
        tenantId,
        id,
        cipher.encrypt(signingSecret, signingBinding(tenantId, id)),
        cipher.encrypt(old ?? '', oldSigningBinding(tenantId, id)),
        overlapSeconds,
      ],
    );
    await recordAudit(tx, {
      action: 'webhook.rotate_signing_secret',
      object: { type: 'webhook', id },
      after: { overlap_seconds: overlapSeconds },
    });
    return signingSecret;
  });
}

/** Forgets old signing secrets of all tenants that sign no longer. */
export async function forgetOldSigningSecrets(db: Queries): Promise<void> {
  await db.execute(
    `update webhooks set old_signing_secret = '', old_signing_until = null where old_signing_until < now()`,
  );
}
