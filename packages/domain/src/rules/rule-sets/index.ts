export {
  createRuleSet,
  definitionOf,
  deleteRuleSet,
  effectiveParamsOf,
  getRuleSet,
  listedRuleSets,
  listedRuleSetsById,
  listRuleSets,
  ruleSetsOfLeftDataset,
  updateRuleSet,
  type ListedRuleSet,
  type RuleSet,
  type NewRuleSet,
  type RuleSetChange,
  type RuleSetFilter,
} from './rule-sets';
export { checkRuleSet, type CheckRequest } from './check';
export {
  previewRuleSet,
  runPreview,
  type PreviewInput,
  type PreviewRequest,
  type PreviewResult,
  type PreviewPairResult,
} from './preview';
