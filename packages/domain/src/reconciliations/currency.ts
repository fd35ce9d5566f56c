/** SQL: a currency is that of the parameter; an empty one asks for none, and null for any. */
export const hasCurrencySql = (currency: string, parameter: string): string =>
  `(${parameter}::text is null or ${currency} is not distinct from nullif(${parameter}::text, ''))`;
