import { readDatabases } from './databases';

const main = 'postgresql://localhost/x';

test('names further databases beside that of DATABASE_URL', () => {
  expect(readDatabases(main)).toEqual([{ name: 'main', url: main }]);
  expect(readDatabases(main, ' b=postgresql://one/x?application_name=a\n c_2=postgres://two/y ')).toEqual([
    { name: 'main', url: main },
    { name: 'b', url: 'postgresql://one/x?application_name=a' },
    { name: 'c_2', url: 'postgres://two/y' },
  ]);
});

test.each([
  ['postgresql://u:secret@one/x', 'entry 1 is not name=url'],
  ['b=postgresql://one/x B=postgresql://one/x', 'entry 2 is not name=url'],
  ['b', 'the entry "b" is not name=url'],
  ['main=postgresql://one/x', 'the entry "main" has a name that is taken by DATABASE_URL'],
  ['b=postgresql://one/x b=postgresql://two/x', 'the entry "b" has a name that is taken'],
  ['b=redis://one', 'the entry "b" needs a url that begins with postgres://'],
  ['b=postgresql://one:99999/x', 'the entry "b" has a port that is not a number up to 65535'],
])('%j is refused', (text, message) => {
  expect(() => readDatabases(main, text)).toThrow(message);
  expect(() => readDatabases(main, text)).not.toThrow('secret');
});
