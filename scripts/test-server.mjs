import { runMain, stopRequested } from '../tools/main.mjs';
import { startTestServer } from './lib/test-database.mjs';

// A database server for tests that are run by hand: prints its URL, stays up until it is stopped. With --durable it
// loses nothing in a crash. A process that has started it may send it a message to restart it, and gets one back when
// that is done.
await runMain(async () => {
  const stop = stopRequested();
  const server = await startTestServer(undefined, { durable: process.argv.includes('--durable') });
  console.log(`TEST_DATABASE_URL=${server.url}`);
  process.on('message', (how) => void server.restart(how).then(() => process.send('restarted')));
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  const alive = setInterval(() => undefined, 60_000);
  await stop;
  clearInterval(alive);
  await server.stop();
});
