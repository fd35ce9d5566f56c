import { Debug as debugOfClient } from '@prisma/client/runtime/client';
import { Debug as debugOfAdapter } from '@prisma/driver-adapter-utils';

/** As many entries as Prisma keeps. */
const keptEntries = 100;

/** The client and its adapter each have a list of their own. */
const logs = [debugOfClient('tieout'), debugOfAdapter('tieout')];

/**
 * Makes Prisma forget what it did last. It keeps it for a report that nobody asks for, whether or not anything is logged: whole statements
 * with their values, some hundred megabytes after a few large ones. Empty entries push them out.
 */
export function forgetStatements(): void {
  for (const log of logs) for (let entry = 0; entry < keptEntries; entry += 1) log('');
}
