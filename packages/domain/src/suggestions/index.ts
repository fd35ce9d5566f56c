export { deleteOldSuggestions, sweepSuggestions } from './recovery';
export { failSuggestion } from './fail';
export { createSuggestionHandlers } from './search';
export { cancelSuggestion, getSuggestion, listSuggestions, startSuggestion, type SuggestionView } from './suggestions';
