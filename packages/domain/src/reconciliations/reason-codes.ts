import { AppError, type FieldError } from '@tieout/infra';
import { recordAudit } from '../audit';
import type { TenantScope } from '../kernel/scope';

/** Reasons that every tenant has. */
export const builtInReasons = {
  bank_fee: 'Bank fee',
  fx_difference: 'Exchange rate difference',
  rounding: 'Rounding',
  tax_withheld: 'Tax withheld',
  discount: 'Discount',
  write_off: 'Write-off',
  duplicate: 'Duplicate',
  timing: 'Timing',
  data_error: 'Data error',
  other: 'Other',
} as const;

export interface ReasonCode {
  code: string;
  label: string;
  builtIn: boolean;
}

/** Lists the built-in reasons, then those of the tenant by code. */
export async function listReasonCodes({ db, tenantId }: TenantScope): Promise<ReasonCode[]> {
  const own = await db.query<{ code: string; label: string }>(
    `select code, label from reason_codes where tenant_id = $1::uuid order by code`,
    [tenantId],
  );
  return [
    ...Object.entries(builtInReasons).map(([code, label]) => ({ code, label, builtIn: true })),
    ...own.map((reason) => ({ ...reason, builtIn: false })),
  ];
}

/** @throws AppError conflict when the code exists */
export async function createReasonCode(
  scope: TenantScope,
  { code, label }: { code: string; label: string },
): Promise<ReasonCode> {
  return scope.transaction(async (s) => {
    const added = Object.hasOwn(builtInReasons, code)
      ? 0
      : await s.db.execute(
          `insert into reason_codes (tenant_id, code, label) values ($1::uuid, $2, $3) on conflict do nothing`,
          [s.tenantId, code, label],
        );
    if (added === 0) throw new AppError('conflict', `The reason code ${code} exists`);
    await recordAudit(s, { action: 'reason_code.create', object: { type: 'reason_code', id: code }, after: { label } });
    return { code, label, builtIn: false };
  });
}

/** Removes a reason of the tenant. What was done with it keeps it. @throws AppError reason_code_not_found */
export async function deleteReasonCode(scope: TenantScope, code: string): Promise<void> {
  await scope.transaction(async (s) => {
    const [gone] = await s.db.query<{ label: string }>(
      `delete from reason_codes where tenant_id = $1::uuid and code = $2 returning label`,
      [s.tenantId, code],
    );
    if (!gone) {
      const isBuiltIn = Object.hasOwn(builtInReasons, code);
      throw isBuiltIn
        ? new AppError('conflict', `The reason code ${code} is built in`)
        : new AppError('reason_code_not_found', 'Reason code not found');
    }
    await recordAudit(s, { action: 'reason_code.delete', object: { type: 'reason_code', id: code }, before: gone });
  });
}

/** The fault of a field that names an unknown reason. */
export const unknownReason = (path: string): FieldError => ({
  path,
  code: 'unknown_reason',
  message: 'is not a reason code: GET /v1/reason-codes lists them',
});

/** Returns the codes that are not a reason of the tenant. */
export async function unknownReasons({ db, tenantId }: TenantScope, codes: readonly string[]): Promise<string[]> {
  const asked = [...new Set(codes)].filter((code) => !Object.hasOwn(builtInReasons, code));
  if (asked.length === 0) return [];
  const own = await db.query<{ code: string }>(
    `select code from reason_codes where tenant_id = $1::uuid and code = any($2::text[])`,
    [tenantId, asked],
  );
  const known = new Set(own.map(({ code }) => code));
  return asked.filter((code) => !known.has(code));
}
