import { Type } from '@sinclair/typebox';
import { maxQuota, quotaNames, quotaTexts, type QuotaName } from '@tieout/domain';
import { closed, count, described, nullable } from '../../http';

const ofEach = <T>(make: (name: QuotaName) => T): Record<QuotaName, T> =>
  Object.fromEntries(quotaNames.map((name) => [name, make(name)])) as Record<QuotaName, T>;

/** Limits of a tenant's own, by name. */
export const quotasBody = closed(
  ofEach((name) =>
    Type.Optional(
      nullable(Type.Integer({ minimum: 0, maximum: maxQuota(name) }), {
        description: `Limit of ${quotaTexts[name]}; null: that of the deployment`,
      }),
    ),
  ),
);

const usage = closed({ limit: count(), used: count() }, { $id: 'QuotaUsage' });

/** Usage of each quota, and the limit that holds. */
export const quotaUsageSchema = closed(
  ofEach((name) => described(usage, quotaTexts[name])),
  { $id: 'Quotas', description: 'What is used now, and the limits' },
);
