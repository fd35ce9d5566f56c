import type { Db } from '@tieout/infra';

export interface LockHolder {
  /** Lets the transaction commit. */
  end(): void;
  over: Promise<'committed' | 'ended'>;
}

/** Holds the locks of a statement in an idle transaction until `end` is called or its connection is closed. */
export async function holdLock({ system }: Pick<Db, 'system'>, statement: string): Promise<LockHolder> {
  let end = (): void => undefined;
  const released = new Promise<void>((resolve) => (end = resolve));
  let begun = (): void => undefined;
  const held = new Promise<void>((resolve) => (begun = resolve));
  const over = system
    .transaction(async (tx) => {
      await tx.query(statement);
      begun();
      await released;
      await tx.query('select 1');
    })
    .then(
      () => 'committed' as const,
      () => 'ended' as const,
    );
  await held;
  return { end, over };
}
