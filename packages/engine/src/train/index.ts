export { chooseQuestions, type QuestionInput, type Stratum } from './questions';
export { trainRuleSet } from './train';
export type { HeldOutQuality, TrainedThresholds, TrainingPairs, TrainInput, Training } from './types';
