import { groupName, LONGEST_GROUP_NAME } from './group-name';

const long = 'x'.repeat(1_000_000);

test.each(['A', '', ' 7 ', 'ü😀', 'x'.repeat(LONGEST_GROUP_NAME)])('a usual text names its group: %j', (text) => {
  expect(groupName(text)).toBe(text);
});

test('of a long text the beginning and the length are in the name', () => {
  expect(groupName(`bill 7 ${long}`)).toMatch(/^bill 7 x+… \(1000007 characters, SHA-256 [0-9a-f]{64}\)$/);
});

test.each([long, `${long}y`, `z${long}`, `${'😀'.repeat(1_000)}`, `${'x'.repeat(159)}${'😀'.repeat(100)}`, `${long}\ud83d`])('a name is short, and a text of its own: %#', (text) => {
  const name = groupName(text);
  expect(name.length).toBeLessThanOrEqual(LONGEST_GROUP_NAME);
  expect(Buffer.from(name).toString()).toBe(name);
});

test('long texts that differ anywhere have different names, also where half characters differ', () => {
  const texts = [long, `${long}y`, `${long}\ud83d`, `${long}\ud83e`, `${long.slice(1)}y`, `${long.slice(0, 500)}y${long.slice(501)}`];
  expect(new Set(texts.map(groupName)).size).toBe(texts.length);
});
