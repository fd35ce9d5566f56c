import { isDatabaseUnavailable } from '@tieout/infra';

/** An answer, and the one that gave it. */
export interface CellAnswer<C, T> {
  cell: C;
  answer: T;
}

interface Outcome<C, T> {
  cell: C;
  answer?: T | undefined;
  failure?: unknown;
}

interface Order<C> {
  cells: readonly C[];
  /** The others are asked only when this one has no final answer. Undefined: all are asked at once. */
  first: C | undefined;
}

/**
 * Asks cells until one gives a final answer; one that is away delays no answer of another.
 * @param isFinal says whether no other cell can know better
 * @returns the final answer, else any; undefined when all know of nothing
 * @throws the error of a database that is away, when it may be the one that knows
 */
export async function askAll<C, T>(
  { cells, first }: Order<C>,
  question: (cell: C) => Promise<T | undefined>,
  { isFinal }: { isFinal: (answer: T) => boolean },
): Promise<CellAnswer<C, T> | undefined> {
  const attempt = async (cell: C): Promise<Outcome<C, T>> => {
    try {
      return { cell, answer: await question(cell) };
    } catch (failure) {
      if (!isDatabaseUnavailable(failure)) throw failure;
      return { cell, failure };
    }
  };
  const isLast = ({ answer }: Outcome<C, T>): boolean => answer !== undefined && isFinal(answer);
  const outcomes: Outcome<C, T>[] = [];
  if (first !== undefined) {
    const outcome = await attempt(first);
    if (isLast(outcome)) return answered(outcome);
    outcomes.push(outcome);
  }
  const others = cells.filter((cell) => cell !== first).map(attempt);
  const last = await firstWhere(others, isLast);
  if (last) return answered(last);
  outcomes.push(...(await Promise.all(others)));
  const known = outcomes.find(({ answer }) => answer !== undefined);
  if (known) return answered(known);
  const failed = outcomes.find(({ failure }) => failure !== undefined);
  if (failed) throw failed.failure;
  return undefined;
}

const answered = <C, T>({ cell, answer }: Outcome<C, T>): CellAnswer<C, T> => ({ cell, answer: answer as T });

/** Resolves with the first value that passes the test, and with undefined once all have failed it. */
function firstWhere<V>(values: readonly Promise<V>[], test: (value: V) => boolean): Promise<V | undefined> {
  return new Promise((resolve, reject) => {
    for (const value of values) value.then((one) => test(one) && resolve(one), reject);
    Promise.all(values).then(() => resolve(undefined), reject);
  });
}
