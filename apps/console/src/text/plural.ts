/** A number of things, with the text that a person reads for it. */
export interface Count {
  value: number;
  text: string;
}

/** Gives the form of a text that a count asks for; # stands for the number. */
type Plural = (count: Count, one: string, other: string) => string;

const pluralOf = (language: string): Plural => {
  const rules = new Intl.PluralRules(language);
  return ({ value, text }, one, other) => (rules.select(value) === 'one' ? one : other).replace('#', () => text);
};

export const inEnglish = pluralOf('en');
export const inPortuguese = pluralOf('pt');
