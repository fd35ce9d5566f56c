export { TextProvider, useFormats, useLanguage, useText, type Texts } from './context';
export { decimalOf, readAmount, unitsOf, type Formats, type WireAmount } from './format';
export type { Count } from './plural';
