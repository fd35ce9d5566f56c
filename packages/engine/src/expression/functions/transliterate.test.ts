import type * as Functions from './transliterate';

test('the tables of all scripts are loaded on first use', () => {
  let isLoaded = false;
  jest.isolateModules(() => {
    jest.doMock('transliteration', () => {
      isLoaded = true;
      return jest.requireActual<object>('transliteration');
    });
    const { transliterated } = jest.requireActual<typeof Functions>('./transliterate');
    expect([transliterated('Zhukov'), isLoaded]).toEqual(['Zhukov', false]);
    expect([transliterated('Жуков'), isLoaded]).toEqual(['Zhukov', true]);
  });
});
