export { chooseSlice, type Slice } from './slice';
export { suggestRuleSet, suggestSteps } from './suggest';
export type { SuggestInput, SuggestedMatcher, SuggestedRuleSet, Suggestion } from './types';
