import { parentPort } from 'node:worker_threads';
import { recordNormaliser } from '@tieout/domain';
import { cells, type NormaliseResult, type NormaliseTask } from './normalise-task';

const port = parentPort;
if (port === null) throw new Error('normaliser-thread runs as a thread of the ingest processor');

// One result at a time: what was computed before a record that stops this thread is not lost.
port.on('message', (task: NormaliseTask) => {
  const normalise = recordNormaliser(task.fields, (position) => void Atomics.store(task.progress, cells.field, position));
  void (async () => {
    for (const data of task.records) {
      if (Atomics.load(task.progress, cells.isOver) !== 0) break;
      port.postMessage({ task: task.number, record: await normalise(data) } satisfies NormaliseResult);
    }
    port.postMessage({ task: task.number } satisfies NormaliseResult);
  })();
});
port.postMessage('ready');
