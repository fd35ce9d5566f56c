import { Choices, sidesOf } from './random-choice.mjs';

const colours = ['black', 'white', 'silver', 'red', 'blue'];

/** Products of two shops: titles of their own, codes that one side writes otherwise or leaves out, prices apart. */
export function products(count, seed = 4) {
  const choices = new Choices(seed);
  const brands = choices.words(60, 2);
  const categories = choices.words(40, 2).map((word) => `${word} ${choices.word(2)}`);
  const features = choices.words(250, 2);
  const pairs = Array.from({ length: count }, () => {
    const brand = choices.skewed(brands);
    const category = choices.of(categories);
    const letters = choices.word(2).slice(0, 3).toUpperCase();
    const code = `${letters}-${100 + choices.below(900)}${choices.chance(0.4) ? choices.of('ABCDX') : ''}`;
    const own = Array.from({ length: 2 + choices.below(4) }, () => choices.skewed(features));
    const size = `${10 + choices.below(50)}`;
    const price = Math.round(Math.exp(3 + 3 * choices.next())) + 0.99;
    const left = [brand, category, ...own, ...(choices.chance(0.5) ? [`${size}-inch`] : []), choices.of(colours), code];
    const kept = own.filter(() => choices.chance(0.6));
    const written = choices.next();
    const right = [
      ...(choices.chance(0.8) ? [brand] : []),
      ...(written < 0.4 ? [code] : written < 0.65 ? [code.replace('-', '')] : []),
      category.split(' ')[choices.below(2)],
      ...kept,
      ...(choices.chance(0.5) ? [`${size}in`] : []),
      ...(choices.chance(0.4) ? [choices.skewed(features)] : []),
    ];
    return [
      {
        name: left.join(' '),
        description: [...own, category, choices.of(features), choices.of(features)].join(' '),
        ...(choices.chance(0.6) ? { price: `$${price}` } : {}),
      },
      {
        title: right.join(' '),
        brand,
        ...(choices.chance(0.8) ? { price: Math.round(price * (0.85 + 0.3 * choices.next()) * 100) / 100 } : {}),
      },
    ];
  });
  return sidesOf(choices, pairs, 0.2);
}
