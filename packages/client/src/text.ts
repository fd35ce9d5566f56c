/** The text of a value in a query or a form: a text as it is, anything else as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
