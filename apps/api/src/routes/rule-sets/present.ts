import { effectiveParamsOf, type PreviewResult, type RuleSet } from '@tieout/domain';

export const presentRuleSet = (ruleSet: RuleSet) => ({
  id: ruleSet.id,
  name: ruleSet.name,
  left_dataset_id: ruleSet.leftDatasetId,
  right_dataset_id: ruleSet.rightDatasetId,
  engine: ruleSet.engine,
  jsonata_expr: ruleSet.jsonataExpr,
  params: ruleSet.params,
  effective_params: effectiveParamsOf(ruleSet),
  logic_json: ruleSet.logicJson,
  version: ruleSet.version,
  created_at: ruleSet.createdAt.toISOString(),
});

export const presentPreview = (preview: PreviewResult) => ({
  results: preview.results.map(({ leftRecordId, rightRecordId, ...result }) => ({
    ...(leftRecordId === undefined ? {} : { left_record_id: leftRecordId }),
    ...(rightRecordId === undefined ? {} : { right_record_id: rightRecordId }),
    ...result,
  })),
  compiled: preview.compiled,
});
