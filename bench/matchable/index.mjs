import { invoices } from './invoices.mjs';
import { payments } from './payments.mjs';
import { people } from './people.mjs';
import { products } from './products.mjs';

/**
 * Generated datasets with known partners. Each kind gives `{left, right, truth}`: records with `externalId` and `body`,
 * and pairs of external ids. The same seed gives the same records.
 */
export const matchableKinds = { payments, invoices, people, products };
