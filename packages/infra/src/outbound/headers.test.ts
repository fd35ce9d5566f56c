import { checkHeaders } from './headers';

test.each(['a', 'Bearer abc', '!~', 'x'.repeat(1_024)])('a printable value is accepted: %j', (value) => {
  expect(() => checkHeaders({ Authorization: value })).not.toThrow();
});

test.each(['', ' a', 'a ', 'a\r\nX-Evil: 1', 'a\nb', 'a\tb', 'naïve', 'π', 'a\0b', '\x7f'])(
  'a value that a client would alter is refused without showing it: %j',
  (value) => {
    expect(() => checkHeaders({ Authorization: value })).toThrow(
      new TypeError('header Authorization must be printable ASCII without spaces at its ends'),
    );
  },
);

test.each(['', 'a b', 'a:b', 'é', 'Host', 'content-length', 'Transfer-Encoding', 'Connection'])(
  'the header name %j is refused',
  (name) => {
    expect(() => checkHeaders({ [name]: 'x' })).toThrow(TypeError);
  },
);
