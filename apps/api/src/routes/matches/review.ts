import { Type, type Static } from '@sinclair/typebox';
import type { ReviewInput } from '@tieout/domain';
import { closed, textEnum } from '../../http';

/** Of matches and of composite matches. */
export const reviewBody = closed(
  { action: textEnum(['confirm', 'reject']), note: Type.Optional(Type.String({ maxLength: 4000 })) },
  { examples: [{ action: 'confirm', note: 'checked against the statement' }] },
);

const statusOf = { confirm: 'confirmed', reject: 'rejected' } as const;

export const reviewInput = ({ action, note }: Static<typeof reviewBody>, apiKeyId: string | null): ReviewInput => ({
  status: statusOf[action],
  note: note ?? null,
  apiKeyId,
});
