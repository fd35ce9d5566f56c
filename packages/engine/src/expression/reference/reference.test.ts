import jsonata from 'jsonata';
import { builtins, createReference } from '.';
import { withinSteps } from '../limits/meter';

const limits = { maxNodes: 200_000, maxDepth: 20_000, timeoutMs: 300, stackDepth: 2_000, sequenceLength: 100_000 };

const evaluate = (source: string, input: unknown = {}): unknown => createReference(source, limits).evaluate(input);

/** Empty for an evaluation that ends without an error. */
function messageOf(source: string, input: unknown = {}): string {
  try {
    evaluate(source, input);
  } catch (error) {
    return (error as { message: string }).message;
  }
  return '';
}

test('recursion that is too deep ends with the code of depth or, on a large native stack, of steps', async () => {
  const ended = (async () => evaluate('($f := function($n) { 1 + $f($n) }; $f(1))'))();
  await expect(ended).rejects.toMatchObject({ code: expect.stringMatching(/^D101[12]$/) as string });
});

test.each([
  ['left.lines.{"of": %.id, "n": n}'],
  ['left.lines@$line#$i.{"line": $line.n, "i": $i}'],
  ['left ~> |lines|{"n": n * 2}|'],
  ['$map(left.lines.n, $power(?, 2))'],
  ['left.lines^(>n).n'],
  ['$sort([3, 1, 2, 1, 3], function($a, $b) { $a > $b })'],
  ['$replace("a1b22", /[0-9]+/, function($m) { "<" & $m.match & ">" })'],
  ['$match("ab-cd", /([a-z])([a-z])?/)'],
  ['$split("a, b ,c", /\\s*,\\s*/)'],
  ['$toMillis("21 November 2026", "[D1] [MNn] [Y0001]")'],
  ['$substring("a\ud83d\ude00bc", 1, 2) & $length("\ud83d\ude00")'],
])('%s is evaluated synchronously, with the result of jsonata', async (source) => {
  const input = { left: { id: 7, lines: [{ n: 2 }, { n: 3 }] } };
  const expected: unknown = await jsonata(source).evaluate(structuredClone(input));
  expect(JSON.stringify(evaluate(source, input))).toBe(JSON.stringify(expected));
});

/** Goes too deep for the native stack, but not for jsonata's asynchronous form. */
const deep = '$f := function($n) { $n = 0 ? 0 : 1 + $f($n - 1) }; $f(20000)';
const deepLimits = { ...limits, stackDepth: 1_000_000, timeoutMs: 20_000 };

test('a recursion too deep for the native stack is evaluated asynchronously', async () => {
  const result = createReference(`(${deep})`, deepLimits).evaluate({});
  expect(result).toBeInstanceOf(Promise);
  expect(await result).toBe(20_000);
});

test('an evaluation that is repeated because the native stack ended has only the steps that are left', async () => {
  const { evaluate: run } = createReference(
    `($g := function($s) { $count([1..12].$uppercase($s)) }; $g($pad("x", 4000000)); ${deep})`,
    deepLimits,
  );
  await expect((async () => run({}))()).rejects.toMatchObject({
    code: 'D1012',
    message: expect.stringContaining('steps') as string,
  });
});

describe('the time of an evaluation', () => {
  /** Reads the field after each of these times in ms: of the clock, and of this process on processors. */
  const evaluating = (source: string, timeoutMs: number, times: { clock: number; processor: number }[]): unknown => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000);
    const processor = jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    const input = {
      get field() {
        const next = times.shift() ?? { clock: 0, processor: 0 };
        clock.mockReturnValue(1_000 + next.clock);
        processor.mockReturnValue({ user: 1_000 * next.processor, system: 0 });
        return true;
      },
    };
    return createReference(source, { ...deepLimits, timeoutMs }).evaluate(input);
  };
  const both = (ms: number): { clock: number; processor: number } => ({ clock: ms, processor: ms });
  /** Has enough nodes for the clock to be read. */
  const busy = '$count([1..100].($ + 1))';

  afterEach(() => jest.restoreAllMocks());

  test('where the native stack ends is what is left', async () => {
    await expect((async () => evaluating(`(field; ${deep})`, 500, [both(300), both(600)]))()).rejects.toMatchObject({
      code: 'D1012',
    });
    expect(await evaluating(`(field; ${deep})`, 700, [both(300), both(600)])).toBe(20_000);
  });

  test('is that of processors: one that waits or is stopped meanwhile is not over', () => {
    const source = `(${busy}; field; ${busy}; field; ${busy})`;
    expect(evaluating(source, 500, [both(5), { clock: 5_000, processor: 400 }])).toBe(100);
    expect(() => evaluating(source, 500, [both(5), { clock: 5_000, processor: 600 }])).toThrow(
      expect.objectContaining({ code: 'D1012' }) as Error,
    );
  });
});

test('what takes over from compiled code has the time that its steps have left', () => {
  const { evaluate: begin, takeOver } = createReference('$uppercase($pad("x", 4000000))', limits);
  expect(() => begin({})).not.toThrow();
  for (let round = 1; round < 9; round++) takeOver({});
  expect(() => {
    for (let round = 9; round < 12; round++) takeOver({});
  }).toThrow(expect.objectContaining({ code: 'D1012' }) as Error);
  expect(() => begin({})).not.toThrow();
});

test.each([
  ['tags[]'],
  ['none{"a": 1}'],
  ['nested.{"a": 1}'],
  ['$ ~> |left|{"n": 1}, "tags"|'],
  ['$ ~> |$$.left|{"n": 1}|'],
  ['left.{"a": %.none} ~> |$|{"n": 1}|'],
  ['($x := left; $ ~> |$x|{"n": 1}|)'],
  ['($clone := function($v) { $v }; $ ~> |left|{"n": 1}|)'],
  ['$ ~> |none|{"n": nested.{"a": 1}}|'],
  ['left()'],
])('%s leaves the input as it is', (source) => {
  const given = () => ({ tags: ['a'], none: [], nested: [[], [1]], left: { n: 0, tags: [] } });
  const input = given();
  messageOf(source, input);
  expect(input).toStrictEqual(given());
  expect(Object.keys(input.tags)).toEqual(['0']);
});

test.each(['{"a": 1}.b', '{"a": 1}[a = 6].b', '{"a": $}'])(
  '%s leaves an input that is an empty array, or holds one, as it is',
  (source) => {
    for (const given of [[], [[]], [[[]]]]) {
      const input = structuredClone(given);
      messageOf(source, input);
      expect(input).toStrictEqual(given);
    }
  },
);

test.each([
  ['long texts', '($s := $pad("x", 4000000); $count([1..90000].$uppercase($s & $string($))))'],
  [
    'long texts of a partial application',
    '($s := $pad("x", 4000000); $f := $pad(?, 4000001); $count([1..90000].$f($s)))',
  ],
  [
    'long texts of a function applied in part',
    '($s := $pad("x", 4000000); $f := $uppercase(?); $count([1..90000].$f($s)))',
  ],
  ['concatenated texts', '($s := $pad("x", 4000000); $count([1..90000].($s & $string($))))'],
  ['ranges in objects', '$count([1..1000].{"a": [1..99999]})'],
  ['long ranges', '$count([1..1000].[[1..99999]])'],
  ['arrays', '($x := [1..99999]; $count([1..1000].[[$x]]))'],
  ['objects spread', '($o := $merge([1..9999].{$string($): $}); [1..99].$spread($o))'],
  ['objects', '[1..90000].([1..90000].{"a": 1, "b": 2, "c": 3})'],
  ['functions', '$count([1..90000].([1..90000].(function() { 1 })))'],
  ['numbers compared', '($a := [1..90000]; $count([1..1000].$max($a)))'],
  ['copies', '($x := [1..90000]; $count([1..90000].$clone($x)))'],
])('many %s end an evaluation by what they cost, whatever the time', (_name, source) => {
  const { evaluate: run } = createReference(source, { ...limits, timeoutMs: 600_000 });
  // They need far more steps than exist, so they also end within a part of them.
  expect(() => withinSteps(2_000_000, () => run({}))).toThrow(
    expect.objectContaining({ code: 'D1012', message: expect.stringContaining('steps') as string }) as Error,
  );
});

test.each([
  ['$digits("a1b2")', '12'],
  ['$similarity("abc", "abc")', 1],
  ['$map(["A b"], $normalize)', 'a b'],
  ['$levenshtein(?, "ab")("ab")', 1],
])('%s: our functions are there', (source, expected) => {
  expect(evaluate(source)).toBe(expected);
});

test('regular expressions in the left operand of a default operator are those of the parser of jsonata', async () => {
  for (const source of [
    '$contains("b", /a/) ?: "no"',
    '$contains("a", /a/) ?: "no"',
    '$match("INV-100", /[0-9]+/)[0].match ?? "none"',
    '$split("INV-100", /-/)[1] ?: "z"',
  ]) {
    expect(evaluate(source)).toEqual(await jsonata(source).evaluate({}));
  }
});

test('a regular expression without a bound is refused when the expression is parsed', () => {
  expect(() => createReference('$contains(left.a, /(?=(a*)*b)/)', limits)).toThrow(
    expect.objectContaining({ code: 'regex_not_linear', position: 30 }) as Error,
  );
});

const shared = '$x := $reduce([1..60], function($a, $b) { [[$a], [$a]] }, []);';
const wide = '$x := $pad("", 16000000, "x");';

test.each([
  ['endless tail recursion', '($f := function() { $f() }; $f())', 'D1012'],
  ['a long sequence', '$map([1..1000000], function($v) { $v })', 'D2015'],
  ['nested paths', '($a := [1..300]; $count($a.($a.($a.(1)))))', 'D1012'],
  ['many searches of a long text', '($t := $pad("", 100000, "a"); $replace($t, /a.*b|a/, "x"))', 'D1012'],
  ['a picture of many parts', '$toMillis("1", $join([1..6000].("[f1]")))', 'picture_too_complex'],
  ['a picture of many digits', '$formatNumber(1, $pad("", 60000, "0"))', 'picture_too_complex'],
  ['a picture of an integer', '$formatInteger(1, $pad("", 60000, "0"))', 'picture_too_complex'],
  ['a wide part of a picture', '$fromMillis(0, "[Y,1000000000-1000000000]")', 'picture_too_complex'],
  ['a long text for a picture', '$parseInteger($pad("", 1000000, "1"), "0")', 'picture_too_complex'],
  ['a picture of an integer to read', '$parseInteger("1", $pad("", 60000, "0"))', 'picture_too_complex'],
  ['a long date for a picture', '$toMillis($pad("", 1000000, "1"), "[Y]")', 'picture_too_complex'],
  ['a doubled text', '$reduce([1..28], function($a, $b) { $a & $a }, "x")', 'string_too_long'],
  ['a wide pad', '$pad("x", 500000000)', 'string_too_long'],
  ['a joined text', `(${wide} $join([$x, $x]))`, 'string_too_long'],
  ['a replaced text', `(${wide} $replace($x, "x", $x))`, 'string_too_long'],
  ['a text replaced by a function', `(${wide} $replace("xx", /x/, function($m) { $x }))`, 'string_too_long'],
  ['a text in base 64', `(${wide} $base64encode($x))`, 'string_too_long'],
  ['a text in a whole address', `(${wide} $encodeUrl($x))`, 'string_too_long'],
  ['indented JSON', '$string($reduce([1..250], function($a, $b) { [[$a]] }, [1..60000]), true)', 'string_too_long'],
  ['rows put together', '[1..90000]#$i{"x": $count($)}', 'D1012'],
  ['a text as JSON', `(${wide} $string([$x, $x]))`, 'string_too_long'],
  ['a text in an address', `(${wide} $encodeUrlComponent($x))`, 'string_too_long'],
  ['a text split into characters', `(${wide} $split($x, ""))`, 'array_too_long'],
  ['distinct values', '$distinct([1..100000].{"a": $})', 'D1012'],
  ['spread objects', '$spread([1..100000].{"a": 1})', 'D1012'],
  ['appended values', '$reduce([1..100000], $append)', 'D1012'],
  ['shared parts as JSON', `(${shared} $string($x))`, 'value_too_large'],
  ['shared parts compared', `(${shared} ${shared.replace('$x', '$y')} $x = $y)`, 'value_too_large'],
  [
    'shared members compared',
    `(${shared} ${shared.replace('$x', '$y')} $x = $y)`.replaceAll('[[$a], [$a]]', '{"a": $a, "b": $a}'),
    'value_too_large',
  ],
  [
    'shared parts searched',
    '($x := $reduce([1..40], function($a, $i){[[$a], [$a]]}, [0]); /x/($x))',
    'value_too_large',
  ],
  ['shared parts as a condition', `(${shared} $x ? 1 : 2)`, 'value_too_large'],
  ['descendants of shared parts', `(${shared} $x.**)`, 'value_too_large'],
  ['a field of shared parts', `(${shared} $x.a)`, 'D1012'],
  ['keys of shared parts', `(${shared} $keys($x))`, 'D1012'],
])('%s: the evaluation ends with a clear code', async (_name, source, code) => {
  await expect((async () => evaluate(source))()).rejects.toMatchObject({ code });
});

test.each([
  ['$substring(?, 1)([])', ''],
  ['$pad("a", 3, ?)(5)', 'a55'],
  ['$join(?, 1)(["a", "b"])', 'a1b'],
  ['$toMillis(?, "[Y]")(null)', undefined],
  ['$encodeUrl(?)(null)', 'null'],
])('%s: a partial application hands on values of any type, as in jsonata', async (source, expected) => {
  expect(evaluate(source)).toBe(expected);
  expect(await jsonata(source).evaluate({})).toBe(expected);
});

test.each([
  ['a long text', `(${wide} -$x)`, 300],
  ['shared parts', `(${shared} -$x)`, 100],
  ['a function', '-$sum', 100],
  ['a message of its own', `(${wide} $error($x))`, 1_100],
  ['braces', '$error($pad("{", 1000000, "{"))', 1_100],
])('the message of an error stays short: %s', (_name, source, most) => {
  const message = messageOf(source);
  expect(message).not.toBe('');
  expect(message.length).toBeLessThan(most);
});

test('the message of an error shows a short value as it is', () => {
  expect(messageOf('-{"a": [1, "b"]}')).toBe('Cannot negate a non-numeric value: {"a":[1,"b"]}');
});

test('many numbers are told apart', () => {
  const { evaluate: count } = createReference('$count($distinct($append([1..50000], [1..50000])))', {
    ...limits,
    timeoutMs: 20_000,
  });
  expect(count({})).toBe(50_000);
});

test('tail calls are limited by time alone', () => {
  const source = '($f := function($n) { $n = 0 ? 0 : $f($n - 1) }; $f(400000))';
  expect(createReference(source, { ...limits, timeoutMs: 600_000 }).evaluate({})).toBe(0);
});

test('many values are sorted by a function of the expression', () => {
  const { evaluate: sort } = createReference('$sort([1..20000], function($a, $b) { $a < $b })[0]', {
    ...limits,
    timeoutMs: 20_000,
  });
  expect(sort({})).toBe(20_000);
});

test('a date is read by a picture that would backtrack without end', () => {
  expect(evaluate(`$toMillis("${'1'.repeat(200)}x", "[f1][f1][f1][f1][f1]")`)).toBeUndefined();
});

test('the builtins come with their signatures, ours among them', () => {
  expect(
    builtins()
      .get('sum')
      ?.signature?.validate([[1, 2]], undefined),
  ).toEqual([[1, 2]]);
  expect(() => builtins().get('similarity')?.signature?.validate(['a', 1], undefined)).toThrow(
    expect.objectContaining({ code: 'T0410' }) as Error,
  );
  expect(builtins().has('eval')).toBe(false);
});
