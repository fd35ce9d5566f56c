import { sortSide, type Side, type SortedSide } from '@tieout/engine';
import { compareSlice, SliceResult, type ComparedTables } from './compare-slice';
import { windowSlice, windowSlices, type PairSlice, type SlicePart, type WindowSlice } from './slices';

/** The windows of a comparison; threads share them, and take slices until none is left. */
export interface WindowWork {
  sides: Record<Side, SortedSide>;
  amountScale: number;
  /** The number of the next slice. */
  next: Int32Array;
  /** Marks rows that have candidates: left rows by their place in sorted order, right rows by their number. */
  covered: Record<Side, Uint8Array>;
}

/** Sorts the candidates of the right side while this thread sorts those of the left. */
interface RightSorter {
  sort(amountScale: number, byMagnitude: boolean): Promise<SortedSide>;
}

/** @param helper sorts the right side at the same time; null: there is none */
export async function windowWork(
  { compiled, left, right }: ComparedTables,
  helper: RightSorter | null,
  amountScale: number,
): Promise<WindowWork> {
  const byMagnitude = compiled.blocking.contiguous;
  const sorting = helper?.sort(amountScale, byMagnitude);
  const own = sortSide(left, amountScale, false);
  const sides = { left: own, right: await (sorting ?? sortSide(right, amountScale, byMagnitude)) };
  const shared = (bytes: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(bytes));
  return {
    sides,
    amountScale,
    next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    covered: { left: shared(sides.left.keys.length), right: shared(right.length) },
  };
}

/** Compares the slices that no other thread takes. */
export async function compareWindows(
  input: ComparedTables,
  work: WindowWork,
  onProgress: (share: number) => void,
): Promise<SliceResult[]> {
  const { sides, amountScale, next } = work;
  const count = windowSlices(sides.left);
  const results: SliceResult[] = [];
  for (let at = Atomics.add(next, 0, 1); at < count; at = Atomics.add(next, 0, 1)) {
    const slice = covering(windowSlice(input.compiled.blocking, { ...sides, amountScale }, at), work);
    const result = new SliceResult(at);
    await compareSlice(input, { slice, amountScale }, result);
    results.push(result);
    onProgress(Math.min(1, Atomics.load(next, 0) / count));
  }
  return results;
}

/** Notes the rows that have candidates while windows pass by. */
function covering({ firstLeft, parts, ...slice }: WindowSlice, { covered }: WindowWork): PairSlice {
  const watched = function* (): Generator<SlicePart, void, void> {
    for (const part of parts)
      yield {
        ...part,
        seek: (left) => {
          const ranges = part.seek(left);
          if (ranges.count > 0) covered.left[firstLeft + left] = 1;
          for (let range = 0; range < ranges.count; range++)
            for (let row = ranges.from[range] as number; row < (ranges.to[range] as number); row++)
              covered.right[part.rights[row] as number] = 1;
          return ranges;
        },
      };
  };
  return { ...slice, parts: { [Symbol.iterator]: watched } };
}
