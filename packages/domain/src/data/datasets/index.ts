export { typeOfColumn } from './column-type';
export * from './datasets';
export { enqueueReprocessing, type DatasetField } from './field-rows';
export * from './fields';
export { addFields, addFieldsForColumns, createFieldsFromColumns, fieldsForColumns, type Column } from './from-columns';
export { loadNotations, notationOf, plainText, type FileNotation } from './notation';
export { fieldKeyMaxLength, fieldKeyPattern } from './slug';
