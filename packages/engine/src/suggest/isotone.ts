interface Block {
  value: number;
  count: number;
  length: number;
}

/** Isotonic regression: fits values that never rise, weighted by counts, by pooling adjacent violators. */
export function isotone(values: readonly number[], counts: readonly number[]): number[] {
  const blocks: Block[] = [];
  values.forEach((value, at) => {
    blocks.push({ value, count: counts[at] as number, length: 1 });
    for (;;) {
      const last = blocks.at(-1) as Block;
      const before = blocks.at(-2);
      if (before === undefined || before.value >= last.value) break;
      blocks.splice(-2, 2, {
        value: (before.value * before.count + last.value * last.count) / (before.count + last.count),
        count: before.count + last.count,
        length: before.length + last.length,
      });
    }
  });
  return blocks.flatMap(({ value, length }) => Array.from({ length }, () => value));
}
