export {
  createRuleSet, definitionOf, deleteRuleSet, effectiveParamsOf, getRuleSet, listRuleSets, ruleSetsById, ruleSetsOfLeftDataset,
  updateRuleSet,
  type RuleSet, type NewRuleSet, type RuleSetChange, type RuleSetFilter,
} from './rule-sets';
export { checkRuleSet, type CheckRequest } from './check';
export {
  previewRuleSet, runPreview, type PreviewInput, type PreviewRequest, type PreviewResult, type PreviewPairResult,
} from './preview';
