/*
 * The edits of jsonata 2.2.2 that `jsonata-builds.mjs` applies. `places` says in how many places the text has to be found:
 * an edit that no longer fits ends the build.
 */

/** Drops asynchrony, after the edits below: every function then returns its value, and nothing else changes. */
export const synchronous = [
  { find: /\basync (?=function\b|\()/g, replace: '', places: 45 },
  { find: /\bawait /g, replace: '', places: 102 },
  { find: /\bPromise\.all\(/g, replace: 'Array.from(', places: 2 },
];

const before = (find, insert, places = 1) => ({ find, replace: `${insert} ${find}`, places });
const after = (find, insert, places = 1) => ({ find, replace: `${find} ${insert}`, places });
const instead = (find, replace, places = 1) => ({ find, replace, places });

/** Stops long work between two steps, as jsonata does itself when it enters a node. */
const checkpoint = 'this?.environment?.base?.guardrails?.();';

const texts = [
  before('result = lstr.concat(rstr);', 'bounds.text(lstr.length + rstr.length);'),
  before('var space = prettify ? 2 : 0;', 'bounds.json(arg);'),
  after('}, space);', 'bounds.text(str.length);'),
  instead(
    'var padding = (new Array(padLength + 1)).join(char);',
    'bounds.text(padLength * String(char).length); var padding = String(char).repeat(padLength);',
  ),
  before('return strs.join(separator);', 'bounds.json(strs); bounds.text(strs.length * String(separator).length);'),
  after('result += replacement;', 'bounds.text(result.length);'),
  after('result += replacedWith;', 'bounds.text(result.length);'),
  after('substitute += regexMatch.match;', 'bounds.text(substitute.length);'),
  after('substitute += submatch;', 'bounds.text(substitute.length);'),
  before('return btoa(str);', 'bounds.text(2 * str?.length);'),
  ...['encodeURIComponent', 'encodeURI'].map((name) =>
    instead(
      `try {\n            returnVal = ${name}(str);`,
      `bounds.text(3 * str?.length); try {\n            returnVal = ${name}(str);`,
    ),
  ),
  instead(
    'result = str.split(separator, limit);',
    "bounds.searched(str, separator); result = str.split(separator, Math.min(typeof limit === 'undefined' ? Infinity : limit >>> 0, bounds.mostItems + 1)); bounds.items(result.length);",
  ),
  after('result.push(str.substring(start, matches.start));', 'bounds.items(result.length);'),
  before('result = (str.indexOf(token) !== -1);', 'bounds.searched(str, token);'),
  before('var pos = str.indexOf(chars);', 'bounds.searched(str, chars);', 2),
  before('var index = str.indexOf(pattern, position);', 'bounds.searched(str, pattern);'),
  before('result += str.substring(position);\n            } else {', 'bounds.matched(count);'),
  after('function number(arg) {', 'bounds.read(arg);'),
  // An array of all characters takes many times the memory of the text.
  instead('var strArray = stringToArray(str);', 'var strArray = bounds.characters(str);'),
  instead('return stringToArray(str).length;', 'return bounds.characters(str).length;'),
];

/** An evaluation pays for all the texts and arrays that it makes: many of them, each within its limit, fill the memory as well. */
const made = [
  after('result = lstr.concat(rstr);', 'bounds.made(result);'),
  after(
    'result = proc.implementation.apply(focus, validatedArgs);',
    'bounds.returned(result, proc.implementation.name);',
  ),
  after('var result = proc.apply(focus, args);', 'bounds.made(result);'),
  after('result = await result;', 'bounds.made(result);', 4),
  after('result = new Array(size);', 'bounds.made(result);'),
  before('if(expr.consarray) {\n                    Object', 'bounds.made(result);'),
  before('let generators = await Promise.all(utils.keys(groups)', 'bounds.members(1 + utils.keys(groups).length);'),
  after('if(match !== null) {', 'bounds.members(1 + match.length);'),
  // The thunk of a tail call is not kept.
  after('function evaluateLambda(expr, input, environment) {', 'if (expr.thunk !== true) bounds.members(4);'),
];

/** What a message shows of a value is short, and an error that has its message keeps it. */
const messages = [
  before('// if there are any handlebars', "if (typeof err.message === 'string') template = '{{{message}}}';"),
  instead('return JSON.stringify(err[arguments[1]]);', 'return bounds.shown(err[arguments[1]]);'),
  instead('return err[arguments[1]];', 'return bounds.told(err[arguments[1]]);'),
];

/** Whether a value is one of jsonata's functions, and no data that bears their mark: that holds no JavaScript functions. */
const isMade = (name) =>
  `(typeof ${name}.implementation === 'function' || typeof ${name}.environment?.lookup === 'function')`;

/** The input stays as it is: no mark on its arrays, none on its objects. */
const writes = [
  instead(
    'resultSequence.keepSingleton = true;',
    'if (resultSequence.sequence === true) resultSequence.keepSingleton = true;',
  ),
  instead("if(typeof proc === 'object') {", `if(typeof proc === 'object' && (proc === null || ${isMade('proc')})) {`),
  instead(
    "if(result.body.procedure.type === 'variable') {",
    `var tells = typeof next !== 'object' || next === null || ${isMade('next')}; if(tells && result.body.procedure.type === 'variable') {`,
  ),
  instead(
    'next.position = result.body.procedure.position;',
    'if(tells) next.position = result.body.procedure.position;',
  ),
];

const pictures = [
  after('function analyseIntegerPicture(picture) {', 'bounds.picture(picture);'),
  after('function analyseDateTimePicture(picture) {', 'bounds.picture(picture);'),
  before('var defaults = {', 'bounds.picture(picture);'),
  instead(
    "var padding = (new Array(padLength + 1)).join('0');",
    "bounds.pictured(padLength); var padding = '0'.repeat(padLength);",
  ),
  before('const formatSpec = analyseIntegerPicture(picture);', 'bounds.pictured(value?.length);'),
  before('const formatSpec = analyseDateTimePicture(picture);', 'bounds.pictured(timestamp?.length);'),
  instead("const matcher = new RegExp(fullRegex, 'i');", "const matcher = bounds.pattern(fullRegex, 'i');"),
  // Without digits of its own a number is an empty text, of which no more can be dropped.
  instead(
    'while (stringValue.charAt(0) === zero_digit)',
    "while (stringValue !== '' && stringValue.charAt(0) === zero_digit)",
  ),
  instead(
    'while (stringValue.charAt(stringValue.length - 1) === zero_digit)',
    "while (stringValue !== '' && stringValue.charAt(stringValue.length - 1) === zero_digit)",
  ),
];

/** One item at a time, in the same order of comparisons: jsonata recurses and copies the rest for each item. */
const mergeOfSort = {
  find: /var merge_iter = async function \(result, left, right\) \{[\s\S]*?var merged = \[\];\s*await merge_iter\(merged, l, r\);/g,
  replace: `base?.guardrails?.();
            var merged = [];
            var left = 0;
            var right = 0;
            while (left < l.length && right < r.length) {
                merged.push(await comp(l[left], r[right]) ? r[right++] : l[left++]);
            }
            while (left < l.length) merged.push(l[left++]);
            while (right < r.length) merged.push(r[right++]);`,
  places: 1,
};

/** Values that are equal only when they are the same are looked up instead of compared with each. */
const distinct = [
  before('// is this value already in the result sequence?', checkpoint),
  after('var results = isSequence(arr) ? this.createSequence() : [];', 'var known = new Set();'),
  instead(
    'for(var jj = 0; jj < results.length; jj++) {',
    `var simple = typeof value !== 'object' || value === null;
            if (simple) { includes = value === value && known.has(value); known.add(value); }
            for(var jj = 0; !simple && jj < results.length; jj++) {`,
  ),
];

const work = [
  ...distinct,
  before('result = append.call(this, result, spread.call(this, arg[ii]));', checkpoint),
  before('var res =  lookup.call(this, input[ii], key);', checkpoint),
  instead(
    'return fn.lookup.call(focus, input, expr.value);',
    'focus.environment = environment; return fn.lookup.call(focus, input, expr.value);',
  ),
  before('var allkeys = keys.call(this, arg[ii]);', checkpoint),
  before('var differentItems = arg.filter(function (val) {', 'bounds.checked(arg);'),
  mergeOfSort,
  before('var merge = async function (l, r) {', 'var base = this?.environment?.base;'),
  before('for(const prop of utils.keys(tupleStream[ii])) {', 'environment.base.guardrails();'),
  before('var match = re.exec(str);', 'environment.base.guardrails();'),
  after('async function applyInner(proc, args, input, environment) {', 'environment.base.guardrails();'),
];

/** Walks over values that share parts: what is small in memory may be endless to visit. */
const walks = [
  instead('function isDeepEqual(lhs, rhs) {', 'function isDeepEqual(lhs, rhs, budget) {'),
  after(
    "if(typeof lhs === 'object' && typeof rhs === 'object' && lhs !== null && rhs !== null) {",
    'budget ??= { nodes: 0 }; bounds.visited(++budget.nodes);',
  ),
  instead('!isDeepEqual(lhs[ii], rhs[ii])', '!isDeepEqual(lhs[ii], rhs[ii], budget)'),
  instead('!isDeepEqual(lhs[key], rhs[key])', '!isDeepEqual(lhs[key], rhs[key], budget)'),
  instead(
    'function boolean(arg) {',
    `function boolean(arg) { return truth(arg, Array.isArray(arg) ? { nodes: 0 } : undefined); }
    function truth(arg, budget) { if (budget) bounds.visited(++budget.nodes);`,
  ),
  instead('result = boolean(arg[0]);', 'result = truth(arg[0], budget);'),
  instead('return boolean(val);', 'return truth(val, budget);'),
  instead(
    'function recurseDescendants(input, results) {',
    'function recurseDescendants(input, results, budget = { nodes: 0 }) { bounds.visited(++budget.nodes);',
  ),
  instead('recurseDescendants(member, results);', 'recurseDescendants(member, results, budget);'),
  instead('recurseDescendants(input[key], results);', 'recurseDescendants(input[key], results, budget);'),
  instead(
    'function flatten(arg, flattened) {',
    'function flatten(arg, flattened, budget = { nodes: 0 }) { bounds.visited(++budget.nodes);',
  ),
  instead('flatten(item, flattened);', 'flatten(item, flattened, budget);'),
];

/**
 * An evaluation that begins anew, where the native stack ends, has what is left of its time. The time in which the process waits for a
 * processor, or is stopped, does not count.
 */
const clock = [
  instead(
    'const time = Date.now();',
    `const processorMs = function() { const used = process.cpuUsage(); return (used.user + used.system) / 1000; };
    const time = bounds.began({ clockMs: Date.now(), processorMs: processorMs() }, options.timeout);`,
  ),
  instead(
    'Date.now() - time > options.timeout',
    'Date.now() - time.clockMs > time.leftMs && processorMs() - time.processorMs > time.leftMs',
  ),
];

/** Nobody reads the stack of what jsonata throws, and writing one takes longer than most evaluations: dirty records throw by the million. */
const stacks = [instead('(new Error()).stack', 'undefined', 83)];

/** Asks the bounds before work that jsonata does not limit. Results within them stay the same. */
export const bounded = [...texts, ...made, ...messages, ...writes, ...pictures, ...work, ...walks, ...clock, ...stacks];
