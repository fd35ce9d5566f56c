/** Whole lists of providers, kept for a while, so that the pages of one list and its totals agree. */
export interface Snapshots {
  /** The list that is kept under the key, else what `load` gives. Who asks while it loads waits for the same. */
  read<T>(key: string, load: () => Promise<T[]>): Promise<readonly T[]>;
}

export interface SnapshotOptions {
  keepMs?: number;
  /** Over all lists; the one that was read longest ago makes way. */
  mostRows?: number;
  nowMs?: () => number;
}

interface Kept {
  rows: Promise<readonly unknown[]>;
  /** null while it loads. */
  loaded: { count: number; until: number } | null;
}

export function createSnapshots({
  keepMs = 60_000,
  mostRows = 50_000,
  nowMs = () => performance.now(),
}: SnapshotOptions = {}): Snapshots {
  /** The one that was read last is the last. */
  const kept = new Map<string, Kept>();

  const makeRoom = (): void => {
    const now = nowMs();
    let total = 0;
    for (const [key, { loaded }] of [...kept].reverse()) {
      total += loaded?.count ?? 0;
      if (loaded && (loaded.until <= now || total > mostRows)) kept.delete(key);
    }
  };

  const begin = (key: string, load: () => Promise<readonly unknown[]>): Kept => {
    const entry: Kept = { rows: load(), loaded: null };
    entry.rows.then(
      ({ length }) => {
        // An empty list takes room too.
        entry.loaded = { count: length + 1, until: nowMs() + keepMs };
        makeRoom();
      },
      () => kept.delete(key),
    );
    return entry;
  };

  return {
    read: async <T>(key: string, load: () => Promise<T[]>) => {
      makeRoom();
      const entry = kept.get(key) ?? begin(key, load);
      kept.delete(key);
      kept.set(key, entry);
      return (await entry.rows) as readonly T[];
    },
  };
}
