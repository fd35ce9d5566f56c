export { listQuestions, type Question, type Questions } from './questions';
export type { LabelCounts } from './kept';
export { train, trainable, type ScoreThresholds, type TrainingAnswer, type TrainingWarning, type Watch } from './train';
