import { Choices, dayText, sidesOf } from './random-choice.mjs';

const methods = ['SEPA', 'CARD', 'WIRE', 'CHEQUE'];
const kinds = ['rent', 'salary', 'refund', 'invoice'];
const firstDay = 19_700;

/** Payments of people, with names that are shortened and cut off, fees, and days of delay. */
export function payments(count, seed = 1) {
  const choices = new Choices(seed);
  const firsts = choices.words(150, 2);
  const lasts = choices.words(1_200, 2);
  const memo = (first, last) => {
    const name = [choices.chance(0.4) ? first[0] : first, choices.chance(0.15) ? last[0] : last]
      .join(' ')
      .toUpperCase();
    const ends = [
      ...(choices.chance(0.4) ? [choices.of(kinds)] : []),
      ...(choices.chance(0.4) ? [choices.of(methods)] : []),
    ];
    return [name, ...ends].join(' ').slice(0, 18).trim();
  };
  const pairs = Array.from({ length: count }, () => {
    const [first, last] = [choices.skewed(firsts), choices.skewed(lasts)];
    const amount = Math.round(Math.exp(3 + 4 * choices.next()) * 100) / 100;
    const day = firstDay + choices.below(120);
    const paid = choices.chance(0.4) ? amount : Math.round(amount * (1 - 0.05 * choices.next()) * 100) / 100;
    const delay = choices.chance(0.8) ? 1 + choices.below(2) : 3 + choices.below(8);
    return [
      { memo: memo(first, last), sent: dayText(day), amount },
      { text: memo(first, last), booked: dayText(day + delay), value: paid },
    ];
  });
  return sidesOf(choices, pairs, 0.15);
}
