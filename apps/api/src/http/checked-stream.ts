import type { Chunk, Reply } from './reply';

/** Between two checks of one stream. */
const checkEveryMs = 1_000;

/** The same reply; a stream is cut once `check` rejects, because it may last far longer than the access to it. */
export function checkedWhileSent(reply: Reply, check: () => Promise<void>): Reply {
  return reply.kind === 'stream' ? { ...reply, chunks: checked(reply.chunks, check) } : reply;
}

async function* checked(chunks: AsyncIterable<Chunk>, check: () => Promise<void>): AsyncGenerator<Chunk, void, void> {
  let checkedAtMs = performance.now();
  for await (const chunk of chunks) {
    if (performance.now() - checkedAtMs >= checkEveryMs) {
      await check();
      checkedAtMs = performance.now();
    }
    yield chunk;
  }
}
