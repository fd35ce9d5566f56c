export * from './datasets';
export { enqueueReprocessing, type DatasetField } from './field-rows';
export * from './fields';
export { addFields, addFieldsForColumns, createFieldsFromColumns, type Column } from './from-columns';
export { loadNotations } from './notation';
export { previewFields } from './preview-fields';
export { fieldKeyMaxLength, fieldKeyPattern } from '@tieout/formats';
