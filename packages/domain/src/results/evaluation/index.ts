export { evaluateRuleSet, type Evaluation, type EvaluationInput } from './evaluate';
export { mistakesOf, type Mistake } from './mistakes';
export type { Quality, ThresholdQuality } from './measure';
export type { Truth } from './truth';
