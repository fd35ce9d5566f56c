import { Choices, sidesOf } from './random-choice.mjs';

/**
 * Offers without codes, of which most have no partner: products come in families that share most words, and the other
 * shop leaves words out, adds its own and shuffles them. No rule set tells all of them apart.
 */
export function listings(count, seed = 5) {
  const choices = new Choices(seed);
  const brands = choices.words(40, 2);
  const categories = choices.words(25, 2);
  const features = choices.words(160, 2);
  const editions = choices.words(30, 1);
  const pairs = [];
  while (pairs.length < count) {
    const [brand, category] = [choices.skewed(brands), choices.of(categories)];
    const shared = Array.from({ length: 2 + choices.below(3) }, () => choices.skewed(features));
    const usual = Math.exp(3 + 3 * choices.next());
    for (let more = choices.below(7); more >= 0 && pairs.length < count; more--) {
      const own = [choices.of(editions), choices.skewed(features), `${1 + choices.below(12)}.0`];
      const price = usual * (0.7 + 0.6 * choices.next());
      const right = [
        ...(choices.chance(0.7) ? [brand] : []),
        ...[...shared, ...own].filter(() => choices.chance(0.6)),
        ...(choices.chance(0.5) ? [category] : []),
        ...Array.from({ length: choices.below(4) }, () => choices.skewed(features)),
      ];
      pairs.push([
        { title: [brand, ...shared, category, ...own].join(' '), ...priceOf(choices, 0.8, price) },
        { name: choices.shuffle(right).join(' '), ...priceOf(choices, 0.6, price * (0.7 + 0.6 * choices.next())) },
      ]);
    }
  }
  return sidesOf(choices, pairs, 0.9);
}

const priceOf = (choices, share, price) => (choices.chance(share) ? { price: Math.round(price * 100) / 100 } : {});
