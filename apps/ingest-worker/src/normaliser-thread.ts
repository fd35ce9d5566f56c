import { parentPort } from 'node:worker_threads';
import { recordNormaliser } from '@tieout/domain';
import { cells, type NormaliseResult, type NormaliseTask } from './normalise-task';

const port = parentPort;
if (port === null) throw new Error('normaliser-thread runs as a thread of the ingest processor');

// Results are posted one by one: those before a record that stops this thread are not lost.
port.on('message', (task: NormaliseTask) => {
  const normalise = recordNormaliser(
    task.fields,
    (position) => void Atomics.store(task.progress, cells.field, position),
  );
  void (async () => {
    let characterCount = 0;
    for (const data of task.records) {
      if (Atomics.load(task.progress, cells.isOver) !== 0 || characterCount > task.maxCharacters) break;
      const { record, characters } = await normalise(data);
      port.postMessage({ task: task.number, record } satisfies NormaliseResult);
      characterCount += characters;
    }
    port.postMessage({ task: task.number, isFull: characterCount > task.maxCharacters } satisfies NormaliseResult);
  })();
});
port.postMessage('ready');
