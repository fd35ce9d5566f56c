import { availableParallelism } from 'node:os';
import { Type } from '@sinclair/typebox';
import { loadConfig, workerSettings } from '@tieout/infra';

export const settings = Type.Object({
  ...workerSettings,
  MATCHING_CONCURRENCY: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description: 'Batches that run at the same time, each in a child process. Default: one a core',
    }),
  ),
  MATCHING_HEAP_MB: Type.Integer({
    default: 384,
    minimum: 128,
    maximum: 16384,
    description: 'Heap limit of a child process; 384 MB hold some 500,000 targets of a rule set that find composites',
  }),
  MATCHING_STALL_MS: Type.Integer({
    default: 10_000,
    minimum: 1_000,
    description: 'A batch that is stuck on one record or pair for this long is ended, and its job fails',
  }),
  MAX_UNBLOCKED_PAIRS: Type.Integer({
    default: 50_000_000,
    minimum: 1,
    description: 'Pairs that a rule set without blocking may compare',
  }),
});

export const config = () => {
  const env = loadConfig(settings, process.env);
  return { ...env, MATCHING_CONCURRENCY: env.MATCHING_CONCURRENCY ?? availableParallelism() };
};
