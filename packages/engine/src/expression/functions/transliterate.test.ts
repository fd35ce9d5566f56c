import { transliterated } from './transliterate';

test.each([
  ['Zhukov', 'Zhukov'],
  ['Жуков', 'Zhukov'],
])('%s is %s in Latin letters', (text, latin) => {
  expect(transliterated(text)).toBe(latin);
});
