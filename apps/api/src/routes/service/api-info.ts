import type { DocumentInfo } from '../../http/openapi';

export const apiInfo: DocumentInfo = {
  title: 'Tieout',
  version: '1.0.0',
  description: [
    'Reconciles records of one dataset with records of another.',
    "Every operation on a tenant's data takes the header x-api-key. Every answer carries X-Request-Id; every failure has one shape, the schema Error.",
    'Bodies are strict: a key that is not known is refused by name. An id of another tenant answers like an unknown one.',
    'Creating operations honour Idempotency-Key for 24 hours.',
  ].join('\n\n'),
};
