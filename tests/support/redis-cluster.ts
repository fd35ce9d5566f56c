import { spawnSync } from 'node:child_process';
import { freePorts } from './ports';
import { startRedis, type OwnRedis } from './redis';
import { eventually } from './stack';

/** A Redis Cluster of three nodes that keep their data. */
export interface OwnCluster {
  url: string;
  nodes: OwnRedis[];
  /** Makes a node write each command to its file before it answers, instead of once a second. */
  keepAtOnce(node: OwnRedis): void;
  /** The node that holds the slot of a key. */
  nodeOf(key: string): OwnRedis;
  /** Moves all slots of one node to another one, with their keys, while clients work. */
  moveSlots(from: OwnRedis, to: OwnRedis): void;
  close(): Promise<void>;
}

const portOf = ({ url }: OwnRedis): string => new URL(url).port;

function cli(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('redis-cli', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`redis-cli ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout.trim();
}

export async function startRedisCluster(): Promise<OwnCluster> {
  // A node talks to others on its port + 10,000 unless told otherwise, which may be the port of another node.
  const ports = await freePorts(6);
  const nodes = await Promise.all(
    [0, 2, 4].map((at) => {
      const [port, busPort] = ports.slice(at, at + 2) as [number, number];
      return startRedis({ keep: true, cluster: { port, busPort } });
    }),
  );
  const [first] = nodes.map(portOf) as [string, ...string[]];
  const addresses = nodes.map((node) => `127.0.0.1:${portOf(node)}`);
  const isUp = (node: OwnRedis): boolean => cli('-p', portOf(node), 'cluster', 'info').includes('cluster_state:ok');
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.close()));
  };
  try {
    cli('--cluster', 'create', ...addresses, '--cluster-yes');
    await eventually('the cluster is up', () => Promise.resolve(nodes.every(isUp) || undefined));
  } catch (error) {
    // A node that is left would keep the test run from its end.
    await close();
    throw error;
  }
  const idOf = (node: OwnRedis): string => cli('-p', portOf(node), 'cluster', 'myid');
  return {
    url: `redis+cluster://${addresses.join(',')}`,
    nodes,
    keepAtOnce: (node) => void cli('-p', portOf(node), 'config', 'set', 'appendfsync', 'always'),
    nodeOf: (key) => {
      const slot = Number(cli('-p', first, 'cluster', 'keyslot', key));
      const ranges = JSON.parse(cli('-p', first, '--json', 'cluster', 'slots')) as [number, number, [string, number]][];
      const port = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1];
      return nodes.find((node) => portOf(node) === String(port)) as OwnRedis;
    },
    moveSlots: (from, to) => {
      const move = [
        '--cluster-from',
        idOf(from),
        '--cluster-to',
        idOf(to),
        '--cluster-slots',
        '16384',
        '--cluster-yes',
      ];
      cli('--cluster', 'reshard', `127.0.0.1:${first}`, ...move);
    },
    close,
  };
}
