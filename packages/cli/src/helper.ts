import { parentPort, type TransferListItem } from 'node:worker_threads';
import { compileRuleSet, sortSide, type JsonObject } from '@tieout/engine';
import { CommandError } from './failure';
import { compareWindows } from './compare/compare-windows';
import type { HelperAnswer, HelperRequest } from './compare/helper-thread';
import { Placement } from './compare/placement';
import { readSide } from './compare/read-file';
import { SideTable } from './compare/side-table';

// The program of the second thread of a comparison: it reads and sorts the right file, then compares slices with the
// left one.

let right: SideTable | null = null;

const post = (answer: HelperAnswer, moved: readonly TransferListItem[] = []): void =>
  parentPort?.postMessage(answer, moved);

function tableRead(): SideTable {
  if (right === null) throw new Error('the right file is read before');
  return right;
}

async function read({ file, rules }: Extract<HelperRequest, { kind: 'read' }>): Promise<void> {
  const placement = rules === null ? null : new Placement(compileRuleSet(rules));
  const placer = placement?.placesApart === true ? placement.placers.right : null;
  const { table, ...side } = await readSide({
    ...file,
    selection: placement?.compiled.references.right ?? null,
    onRecord: placer === null ? null : (own, seq, value) => placer.place(own, seq, value),
    onProgress: (share) => post({ kind: 'progress', share }),
  });
  right = table;
  const { count = 0, first = [] } = placement?.errors ?? {};
  post({ kind: 'read', side, table: table.share(), errors: { count, first } });
}

/** Both threads use the same memory for what the first one has placed or left out since. */
function sort({ amountScale, byMagnitude }: Extract<HelperRequest, { kind: 'sort' }>): void {
  post({ kind: 'sort', sorted: sortSide(tableRead(), amountScale, byMagnitude) });
}

async function compare({ left, work, rules }: Extract<HelperRequest, { kind: 'compare' }>): Promise<void> {
  const compiled = compileRuleSet(rules);
  const complete = (side: 'left' | 'right') => (value: JsonObject) => compiled.withRemaining(side, value);
  const input = {
    compiled,
    left: SideTable.of(left),
    right: tableRead(),
    complete: { left: complete('left'), right: complete('right') },
  };
  const results = await compareWindows(input, work, () => undefined);
  post({ kind: 'compare', results });
}

async function answer(request: HelperRequest): Promise<void> {
  if (request.kind === 'read') return read(request);
  return request.kind === 'sort' ? sort(request) : compare(request);
}

parentPort?.on('message', (request: HelperRequest) => {
  answer(request).catch((error: unknown) => {
    const details = error instanceof CommandError ? error.details : null;
    post({ kind: 'failed', error, details });
  });
});
