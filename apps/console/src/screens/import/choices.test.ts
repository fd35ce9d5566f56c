import { withChoice } from './choices';

test.each([
  [{}, 'dateFormat', 'DD/MM/YYYY', { dateFormat: 'DD/MM/YYYY' }],
  [{ dateFormat: 'DD/MM/YYYY', delimiter: ';' }, 'dateFormat', null, { delimiter: ';' }],
  [{ skipLines: 1 }, 'headerRow', '3', { skipLines: 1, headerRow: 3 }],
  [{ headerRow: 3 }, 'header', 'false', { header: false }],
  [{ header: false }, 'headerRow', '3', { headerRow: 3 }],
  [{ headerRow: 3 }, 'header', null, { headerRow: 3 }],
  [{}, 'footer', 'true', { footer: true }],
  [{}, 'comment', '', { comment: '' }],
  [{ sheet: 'S', dateFormat: 'DD/MM/YYYY' }, 'format', 'csv', { format: 'csv' }],
  [{ format: 'csv', delimiter: ';' }, 'format', null, {}],
] as const)('of %j, %s set to %j gives %j', (choices, option, text, expected) => {
  expect(withChoice(choices, option, text)).toEqual(expected);
});
