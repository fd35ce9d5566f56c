import { spawn, type ChildProcess } from 'node:child_process';
import net from 'node:net';
import { once } from 'node:events';
import { endHard, ready } from './stack';

/** A process that listens, says where, and goes on; it says that it is ready when told to. */
const program = (isReady: boolean): string => `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    console.log(JSON.stringify({ msg: ${isReady} ? 'ready' : 'listening', port }));
  });
  process.on('SIGTERM', () => undefined);
`;

const started: ChildProcess[] = [];
function start(text: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  return child;
}

afterEach(() => Promise.all(started.splice(0).map(endHard)));

async function listens(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('a process that is not ready in time is gone, and its port is free, when that is reported', async () => {
  const child = start(program(false));
  const said = once(child.stdout as NodeJS.ReadableStream, 'data') as Promise<[Buffer]>;
  const outcome = ready('slow', child, 2_000).catch((error: Error) => error.message);
  const { port } = JSON.parse(String((await said)[0])) as { port: number };
  expect(await listens(port)).toBe(true);
  expect(await outcome).toMatch(/^slow is not ready:\n\{"msg":"listening"/);
  expect([child.signalCode, await listens(port)]).toEqual(['SIGKILL', false]);
});

test('a process that is ready goes on, and its port is known', async () => {
  const child = start(program(true));
  expect(await listens(await ready('quick', child))).toBe(true);
  expect(child.signalCode).toBeNull();
});

test('a process that ends instead is reported with its last words', async () => {
  await expect(ready('broken', start('console.log("no disk"); process.exit(3)'))).rejects.toThrow(
    'broken ended with 3:\nno disk',
  );
});
