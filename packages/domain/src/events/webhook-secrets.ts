import { keyIdOf } from '@tieout/infra';

/** SQL for the encrypted old signing secret of a webhook `w` while it signs, at the time `at`; else an empty text. */
export const oldSigningSql = (at: string): string =>
  `(case when w.old_signing_until > ${at} then w.old_signing_secret else '' end)`;

/** SQL for the ids of the keys that encrypt what a delivery to a webhook `w` needs at the time `at`. */
export const webhookKeyIdsSql = (at: string): string =>
  `array_remove(array[${['w.secret', 'w.signing_secret', oldSigningSql(at)].map(keyIdOf).join(', ')}], '')`;
