type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** The larger array `to`, which begins with the values of `from`. */
export function grown<T extends Numbers>(from: T, to: T): T {
  to.set(from);
  return to;
}
