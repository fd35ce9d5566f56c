/** Allowed outcomes of an expression: these codes, or its value. */
export interface Hostile {
  name: string;
  /** TEXT represents a long text of the record. */
  expr: string;
  codes: readonly string[];
  /** Given when the expression is allowed to succeed. */
  value?: unknown;
}

/**
 * Timeouts of the evaluation, the preview, the job or the field: which one comes first depends on the machine's load.
 */
const outOfTime = ['D1012', 'evaluation_timeout', 'expression_timeout', 'transform_timeout'] as const;

/** It filled the memory of the process, or of the thread of a field, before its time was over. */
const outOfMemory = ['expression_memory', 'transform_out_of_memory'] as const;

const doubled = '$reduce([1..40], function($a, $b){{"k": $a, "l": $a}}, 0)';

/** The nine attacks that JSONata's own guards were measured against. */
export const attacks: readonly Hostile[] = [
  { name: 'endless tail recursion', expr: '($f := function(){ $f() }; $f())', codes: [...outOfTime] },
  {
    name: 'endless deep recursion',
    expr: '($f := function($n){ 1 + $f($n + 1) }; $f(0))',
    codes: ['D1011', ...outOfTime],
  },
  {
    name: '$map over a million and a range of ten',
    expr: '$sum($map([1..1000000], function($x){ $x * 2 })) + $count([1..10000000])',
    codes: ['D2015'],
  },
  {
    name: 'nested paths',
    expr: '$count([1..300].([1..300].([1..300])))',
    codes: [...outOfTime, ...outOfMemory, 'D2015'],
  },
  {
    name: 'a regular expression that backtracks',
    expr: '$contains(TEXT, /^(a+)+$/)',
    codes: ['regex_not_linear'],
    value: false,
  },
  {
    name: 'a date picture that backtracks',
    expr: '$exists($toMillis(TEXT, "[f1][f1][f1][f1][f1]"))',
    codes: ['picture_too_complex', 'D3136'],
    value: false,
  },
  {
    name: 'a text that doubles',
    expr: '$length($reduce([1..28], function($a, $b){ $a & $a }, "x")) = 1',
    codes: ['string_too_long'],
  },
  {
    name: 'a sort with a comparator',
    expr: '$count($sort([1..20000], function($a, $b){ $a < $b })) = 1',
    codes: [...outOfTime],
    value: false,
  },
  { name: 'a text padded to half a gigabyte', expr: '$length($pad("x", 500000000)) = 1', codes: ['string_too_long'] },
];

/** Hostile expressions that are only run in one of the two ways. */
export const others: readonly Hostile[] = [
  { name: 'a look-ahead that backtracks', expr: '$contains(TEXT, /(?=(a+)+)b/)', codes: ['regex_not_linear'] },
  {
    name: '$split at what backtracks',
    expr: '$count($split(TEXT, /(a|a)*b/)) = 2',
    codes: ['regex_not_linear', 'regex_too_costly', ...outOfTime],
    value: false,
  },
  {
    name: '$replace of what backtracks',
    expr: '$replace(TEXT, /(a+a+)+b/, "") = ""',
    codes: ['regex_not_linear', ...outOfTime],
    value: false,
  },
  {
    name: '$match of counted repetitions',
    expr: '$exists($match(TEXT, /(a{1,1000}){1,1000}b/))',
    codes: ['regex_not_linear', ...outOfTime],
    value: false,
  },
  { name: 'an object of a million keys', expr: '$merge([1..1000000].{$string($): 1})', codes: ['D2015'] },
  {
    name: 'a number picture of 60 kB',
    expr: `$formatNumber(1, "${'#,'.repeat(30_000)}0") = ""`,
    codes: ['picture_too_complex', 'D3085'],
  },
  {
    name: 'an integer picture of 60 kB',
    expr: `$formatInteger(1, "${'#,'.repeat(30_000)}0") = ""`,
    codes: ['picture_too_complex'],
  },
  {
    name: 'a date picture of 60 kB',
    expr: `$fromMillis(1, "${'[Y]'.repeat(20_000)}") = ""`,
    codes: ['picture_too_complex'],
  },
  {
    name: 'the text of a value that shares itself',
    expr: `$length($string(${doubled})) = 1`,
    codes: ['value_too_large', 'string_too_long', ...outOfTime],
  },
  { name: 'a value that shares itself', expr: doubled, codes: ['value_too_large', ...outOfTime] },
  {
    name: 'values that share themselves, compared',
    expr: `${doubled} = ${doubled}`,
    codes: ['value_too_large', ...outOfTime],
  },
  {
    name: 'texts of 16 MiB by the thousand',
    codes: [...outOfTime, 'string_too_long', ...outOfMemory],
    expr: '($s := $pad("x", 16000000); $count([1..90000].$uppercase($s & $string($))) = 1)',
  },
  { name: 'a literal of 60 kB', expr: `"${'x'.repeat(60_000)}" = TEXT`, codes: [], value: false },
  {
    name: 'recursion that forks',
    expr: '($f := function($n){ $n > 0 ? $f($n - 1) + $f($n - 1) : 1 }; $f(60)) = 1',
    codes: [...outOfTime],
  },
  {
    name: 'halves of surrogate pairs, NUL and marks that turn text around',
    expr: '("\\ud83d\\u0000" & "\u202e\u2066" & TEXT) = TEXT',
    codes: [],
    value: false,
  },
  {
    name: 'the constructor of functions',
    expr: '$exists(TEXT.constructor) or $exists($string.constructor) or $exists($lookup({}, "__proto__"))',
    codes: [],
    value: false,
  },
];

export const longText = `${'a'.repeat(2_000)}!`;

/** A record nested deeper than most walks can follow. */
export function deepRecord(depth: number): object {
  let record: object = { text: longText };
  for (let level = 0; level < depth; level++) record = { deeper: [record] };
  return { text: longText, record };
}
