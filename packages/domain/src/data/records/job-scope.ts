import type { TenantScope } from '../../kernel/scope';

/** What a job on records needs of a tenant's scope. */
export type RecordJobScope = Pick<TenantScope, 'tenantId' | 'db' | 'queue'>;
