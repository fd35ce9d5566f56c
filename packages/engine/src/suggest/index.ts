export { chooseSlice, type Slice } from './slice';
export { withoutSources } from './sources';
export { suggestRuleSet, suggestSteps } from './suggest';
export type { SuggestInput, SuggestedMatcher, SuggestedRuleSet, Suggestion } from './types';
