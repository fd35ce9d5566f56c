export { createSuggestionHandlers } from './search';
export {
  cancelSuggestion,
  getSuggestion,
  listSuggestions,
  startSuggestion,
  startTraining,
  type SuggestionView,
} from './suggestions';
export {
  listQuestions,
  type LabelCounts,
  type Question,
  type Questions,
  type ScoreThresholds,
  type TrainingAnswer,
  type TrainingWarning,
} from './training';
