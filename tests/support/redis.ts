import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from './ports';
import { eventually } from './stack';

/** A Redis of one's own, to be emptied and stopped at will. */
export interface OwnRedis {
  url: string;
  flushAll(): void;
  /** SIGKILL. */
  stop(): Promise<void>;
  /** Again, on the same port; empty, unless it keeps its data. */
  start(): Promise<void>;
  /** SIGSTOP and SIGCONT: connections stay, and nothing is answered. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  close(): Promise<void>;
}

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

interface RedisSettings {
  /** true: data survives a restart, with the persistence settings that operators use. */
  keep?: boolean;
  /** The ports of a node of a cluster. */
  cluster?: { port: number; busPort: number };
}

export async function startRedis({ keep = false, cluster }: RedisSettings = {}): Promise<OwnRedis> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tieout-redis-'));
  const port = cluster?.port ?? (await freePorts(1))[0];
  let redis: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const settings = {
      port,
      bind: '127.0.0.1',
      save: '',
      appendonly: keep ? 'yes' : 'no',
      dir: directory,
      // A cluster whose node is away goes on with the slots of the others.
      ...(cluster && {
        'cluster-enabled': 'yes',
        'cluster-port': cluster.busPort,
        'cluster-require-full-coverage': 'no',
      }),
    };
    const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    redis = spawn('redis-server', options, { stdio: 'ignore' });
    await eventually('redis answers', () => answers(port));
  };
  const stop = async (): Promise<void> => {
    if (!redis) return;
    const exited = once(redis, 'exit');
    redis.kill('SIGKILL');
    await exited;
    redis = undefined;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    flushAll: () => void spawnSync('redis-cli', ['-p', String(port), 'flushall']),
    stop,
    start,
    signal: (signal) => void redis?.kill(signal),
    close: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket
      .once('connect', () => resolve(true))
      .once('error', () => resolve(undefined))
      .once('connect', () => socket.destroy());
  });
}
