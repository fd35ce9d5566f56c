import { runInNewContext } from 'node:vm';
import { evaluationError } from './error';

function overflow(): unknown {
  try {
    return overflow();
  } catch (error) {
    return error;
  }
}

test.each([
  ['the count of calls', { code: 'D1011', message: 'Too deep.', position: 3 }],
  ['the native stack', overflow()],
  [
    'the native stack inside a function of another realm',
    runInNewContext('(function f() { try { return f() } catch (error) { return error } })()'),
  ],
])('a recursion that is ended by %s has one code and one message', (_name, thrown) => {
  expect(evaluationError(thrown)).toMatchObject({ code: 'D1011', message: 'The evaluation is nested too deeply.' });
});
