import { Choices, dayText, sidesOf } from './random-choice.mjs';

/** Records of people in two registers, one with typing errors, exchanged names and values that are missing. */
export function people(count, seed = 3) {
  const choices = new Choices(seed);
  const firsts = choices.words(300, 2);
  const lasts = choices.words(2_000, 2);
  const streets = choices.words(600, 2);
  const towns = choices.words(200, 2);
  const states = ['nsw', 'vic', 'qld', 'wa', 'sa'];
  const pairs = Array.from({ length: count }, () => {
    const town = choices.skewed(towns);
    const one = {
      first_name: choices.skewed(firsts),
      last_name: choices.skewed(lasts),
      house: String(1 + choices.below(200)),
      street: `${choices.of(streets)} ${choices.of(['street', 'road', 'place', 'court'])}`,
      town,
      postcode: String(2_000 + ((town.length * 131 + town.charCodeAt(0) * 17 + town.charCodeAt(1)) % 900)),
      state: choices.skewed(states),
      born: choices.chance(0.9) ? dayText(-18_000 + choices.below(28_000)) : '',
      number: String(1_000_000 + choices.below(9_000_000)),
    };
    const other = { ...one };
    for (let errors = 1 + choices.below(4); errors > 0; errors--) {
      const field = choices.of([
        'first_name',
        'last_name',
        'street',
        'town',
        'postcode',
        'number',
        'house',
        'state',
        'born',
      ]);
      const kind = choices.next();
      if (kind < 0.15) other[field] = '';
      else if (kind < 0.2) [other.first_name, other.last_name] = [other.last_name, other.first_name];
      else if (field === 'state') other.state = choices.of(states);
      else if (field === 'born' && one.born !== '') other.born = dayText(-18_000 + choices.below(28_000));
      else if (field !== 'born') other[field] = choices.typo(other[field]);
    }
    const renamed = Object.fromEntries(Object.entries(other).filter(([, value]) => value !== ''));
    return [Object.fromEntries(Object.entries(one).filter(([, value]) => value !== '')), renamed];
  });
  return sidesOf(choices, pairs, 0.1);
}
