import { groupName, LONGEST_PLAIN_NAME } from './group-name';

const long = 'x'.repeat(1_000_000);

test.each(['A', '', ' 7 ', 'ü😀', 'x'.repeat(LONGEST_PLAIN_NAME)])('a usual text names its group: %j', (text) => {
  expect(groupName(text)).toBe(text);
});

test('of a long text the beginning and the length are in the name', () => {
  expect(groupName(`bill 7 ${long}`)).toMatch(/^bill 7 x+… \(1000007 characters, SHA-256 [0-9a-f]{64}\)$/);
});

test.each([long, `z${long}`, 'x'.repeat(257), '😀'.repeat(1_000), `${'x'.repeat(199)}${'😀'.repeat(100)}`])(
  'the name of a long text is short, and no other text has it: %#',
  (text) => {
    const name = groupName(text);
    expect(name.length).toBeGreaterThan(LONGEST_PLAIN_NAME);
    expect(name.length).toBeLessThan(320);
    expect(name).not.toContain('\ufffd');
    expect(groupName(name)).not.toBe(name);
  },
);

test('long texts that differ anywhere have different names, also where half characters differ', () => {
  const texts = [
    long,
    `${long}y`,
    `${long}\ud83d`,
    `${long}\ud83e`,
    `${long.slice(1)}y`,
    `${long.slice(0, 500)}y${long.slice(501)}`,
  ];
  expect(new Set(texts.map(groupName)).size).toBe(texts.length);
});
