export { suggestRuleSet } from './suggest';
export type { SuggestInput, SuggestedMatcher, SuggestedRuleSet, Suggestion } from './types';
