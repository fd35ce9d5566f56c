export interface WaterfallStep {
  name: string;
  added: number;
  weight: number;
  /** The score before it. */
  from: number;
}

interface ShownExplanation {
  scale?: number;
  thresholds?: { Tmatch?: number };
  matchers?: { id?: string; name?: string; contribution?: number; weight?: number }[];
}

/** Steps of a score: one for each matcher of an explanation, on the scale of its rule set. */
export function waterfallOf(explanation: Readonly<Record<string, unknown>>): {
  steps: WaterfallStep[];
  scale: number;
  threshold: number | null;
} {
  const { matchers = [], thresholds, scale = 1 } = explanation as ShownExplanation;
  let from = 0;
  const steps = matchers.map(({ id, name, contribution = 0, weight = 0 }) => {
    const step = { name: name ?? id ?? '', added: contribution, weight, from };
    from += contribution;
    return step;
  });
  return { steps, scale, threshold: thresholds?.Tmatch ?? null };
}
