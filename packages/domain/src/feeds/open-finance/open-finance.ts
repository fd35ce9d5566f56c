import { createOutboundClient, type Logger, type OutboundPolicy } from '@tieout/infra';
import { isWithin, readBaseUrl, type BaseUrl } from './base-url';
import { baseUrlNotAllowed } from './failures';
import { createHttpProvider } from './http/http-provider';
import type { OpenFinance, OpenFinanceProvider } from './provider';
import { createSandboxProvider } from './sandbox/sandbox-provider';
import type { OpenFinancePolicy } from './settings';

export interface OpenFinanceOptions {
  policy: OpenFinancePolicy;
  /** Addresses that may be reached though they are not public, and trusted certificate authorities. */
  network: Pick<OutboundPolicy, 'allowCidrs' | 'extraCa'>;
  logger: Logger;
}

/** Opens the providers that the settings name; without any, the sandbox provider. */
export function openProviders({ policy, network, logger }: OpenFinanceOptions): OpenFinance {
  const { base, allowed, credentials, timeoutMs } = policy;
  const origins = [...new Set([...(base === null ? [] : [base]), ...allowed].map(({ origin }) => origin))];
  const outbound = createOutboundClient({ ...network, allowedPorts: [], origins });
  const providerAt = (at: BaseUrl): OpenFinanceProvider =>
    createHttpProvider({ base: at, credential: credentials.get(at.origin), outbound, timeoutMs, logger });
  return {
    provider: base === null ? createSandboxProvider() : providerAt(base),
    at: (text) => {
      const asked = readBaseUrl(text);
      if (asked === null)
        throw baseUrlNotAllowed(
          'must be a plain url such as https://api.provider.example/v1, ' +
            'without user, query, fragment, escapes or dots as segments',
        );
      if (!allowed.some((listed) => isWithin(asked, listed))) {
        throw baseUrlNotAllowed(
          'must be one that the operator has listed in OPENFINANCE_ALLOWED_BASE_URLS, or a path below it',
        );
      }
      return providerAt(asked);
    },
    close: () => outbound.close(),
  };
}
