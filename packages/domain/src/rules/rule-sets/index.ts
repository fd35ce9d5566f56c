export {
  auditedRuleSet,
  createRuleSet,
  definitionOf,
  effectiveParamsOf,
  getRuleSet,
  listedRuleSets,
  listedRuleSetsById,
  listRuleSets,
  ruleSetsOfLeftDataset,
  updateRuleSet,
  type ListedRuleSet,
  type NewRuleSet,
  type RuleSet,
  type RuleSetChange,
  type RuleSetFilter,
} from './rule-sets';
export { previewRuleSet, runPreview, type PreviewInput } from './preview';

export { runCandidates } from './candidates';
export { withRarities } from './rarities';
export { assertDefinition, checkRuleSet } from './validate';
export { compositionIgnoresExpression, ruleSetWarnings, type RuleSetWarning } from './warnings';
