import { Type } from '@sinclair/typebox';
import { closed, count, uuid } from '../http';

/** The answer of an operation on many. */
export const bulkSchema = closed(
  {
    done: count(),
    failed: Type.Array(closed({ id: uuid(), code: Type.String(), message: Type.String() }, { $id: 'BulkFailure' })),
  },
  { $id: 'BulkOutcome' },
);
