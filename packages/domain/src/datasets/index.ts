export * from './datasets';
export * from './ensure-dataset';
export * from './delete-dataset';
export { datasetProgress, type DatasetProgress } from './progress';
export * from './fields';
export * from './from-columns';
export { fieldTypes, inferType, type FieldType } from './field-types';
export { fieldKeyMaxLength, fieldKeyPattern } from './slug';
export { enqueueReprocessing, type DatasetField } from './field-rows';
