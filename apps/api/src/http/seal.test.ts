import { seal, unseal } from './seal';

test('who has the credential reads the text again', () => {
  expect(unseal(seal('{"key":"é"}', 'credential'), 'credential')).toBe('{"key":"é"}');
});

test('the sealed text shows nothing and differs every time', () => {
  const sealed = seal('secret text', 'credential');
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('secret text');
  expect(seal('secret text', 'credential')).not.toBe(sealed);
});

test('another credential or a changed text gives nothing', () => {
  const sealed = seal('secret text', 'credential');
  expect(() => unseal(sealed, 'another')).toThrow();
  const bytes = Buffer.from(sealed, 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
  expect(() => unseal(bytes.toString('base64'), 'credential')).toThrow();
});
