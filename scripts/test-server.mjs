import { runMain } from './lib/main.mjs';
import { startTestServer } from './lib/test-database.mjs';

// A database server for tests that are run by hand: prints its URL, stays up until it is stopped.
await runMain(async () => {
  const server = await startTestServer();
  console.log(`TEST_DATABASE_URL=${server.url}`);
  await new Promise((resolve) => {
    const alive = setInterval(() => undefined, 60_000);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => {
        clearInterval(alive);
        resolve();
      });
    }
  });
  await server.stop();
});
