import type { Db } from '@tieout/infra';

export interface LockHolder {
  /** Lets the transaction end. */
  end(): void;
  over: Promise<'committed' | 'ended'>;
}

/** A transaction that has run the statement and then does nothing, until it is told to end or its connection is ended. */
export async function holdLock({ system }: Pick<Db, 'system'>, statement: string): Promise<LockHolder> {
  let end = (): void => undefined;
  const told = new Promise<void>((resolve) => (end = resolve));
  let begun = (): void => undefined;
  const held = new Promise<void>((resolve) => (begun = resolve));
  const over = system
    .transaction(async (tx) => {
      await tx.query(statement);
      begun();
      await told;
      await tx.query('select 1');
    })
    .then(
      () => 'committed' as const,
      () => 'ended' as const,
    );
  await held;
  return { end, over };
}
