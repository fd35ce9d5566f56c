/*
 * Edits that bound the work of jsonata. Both builds have them; results within the bounds stay the same. `bounds` is the
 * object that a build receives (`Bounds` in packages/engine/generated/jsonata-sync.d.ts).
 */
import { after, before, edit, instead } from './jsonata-edit.mjs';

/** Ends long work between two steps, as jsonata itself does when it enters a node. */
const checkpoint = 'this?.environment?.base?.guardrails?.();';

const texts = [
  edit(
    'concatenated texts',
    'Limits the length of a text that `&` makes and charges for it.',
    before('result = lstr.concat(rstr);', 'bounds.text(lstr.length + rstr.length);'),
    after('result = lstr.concat(rstr);', 'bounds.made(result);'),
  ),
  edit(
    'JSON texts',
    'Limits what `$string` writes, indentation included.',
    before('var space = prettify ? 2 : 0;', 'bounds.json(arg);'),
    after('}, space);', 'bounds.text(str.length);'),
  ),
  edit(
    'padded texts',
    'Limits the length that `$pad` makes.',
    instead(
      'var padding = (new Array(padLength + 1)).join(char);',
      'bounds.text(padLength * String(char).length); var padding = String(char).repeat(padLength);',
    ),
  ),
  edit(
    'joined texts',
    'Limits the length that `$join` makes.',
    before('return strs.join(separator);', 'bounds.json(strs); bounds.text(strs.length * String(separator).length);'),
  ),
  edit(
    'replaced texts',
    'Limits the length that `$replace` makes and charges for the parts that it replaces.',
    after('result += replacement;', 'bounds.text(result.length);'),
    after('result += replacedWith;', 'bounds.text(result.length);'),
    before('result += str.substring(position);\n            } else {', 'bounds.matched(count);'),
  ),
  edit(
    'encoded texts',
    'Limits the length of texts in base 64 and in addresses.',
    before('return btoa(str);', 'bounds.text(2 * str?.length);'),
    ...['encodeURIComponent', 'encodeURI'].map((name) =>
      instead(
        `try {\n            returnVal = ${name}(str);`,
        `bounds.text(3 * str?.length); try {\n            returnVal = ${name}(str);`,
      ),
    ),
  ),
  edit(
    'split texts',
    'Limits the number of parts that `$split` makes.',
    instead(
      'result = str.split(separator, limit);',
      `bounds.searched(str, separator);
            var maxParts = typeof limit === 'undefined' ? Infinity : limit >>> 0;
            result = str.split(separator, Math.min(maxParts, bounds.maxItems + 1));
            bounds.items(result.length);`,
    ),
  ),
  edit(
    'searched texts',
    'Charges for the characters that a search may compare.',
    before('result = (str.indexOf(token) !== -1);', 'bounds.searched(str, token);'),
    before('var pos = str.indexOf(chars);', 'bounds.searched(str, chars);', 2),
    before('var index = str.indexOf(pattern, position);', 'bounds.searched(str, pattern);'),
  ),
  edit(
    'numbers in texts',
    'Charges for the characters that `$number` reads.',
    after('function number(arg) {', 'bounds.read(arg);'),
  ),
  edit(
    'characters of texts',
    'Counts characters without an array of them, which takes many times the memory of the text.',
    instead('var strArray = stringToArray(str);', 'var strArray = bounds.characters(str);'),
    instead('return stringToArray(str).length;', 'return bounds.characters(str).length;'),
  ),
];

const values = [
  edit(
    'values made',
    'Charges for the texts and arrays that calls make: many of them, each within its limit, fill the memory too.',
    after(
      'result = proc.implementation.apply(focus, validatedArgs);',
      'bounds.returned(result, proc.implementation.name);',
    ),
    after('var result = proc.apply(focus, args);', 'bounds.made(result);'),
  ),
  edit(
    'arrays made',
    'Charges for the arrays of constructors, which hold all ranges.',
    before('if(expr.consarray) {\n                    Object', 'bounds.made(result);'),
  ),
  edit(
    'objects made',
    'Charges for the members of objects, and for functions other than the thunks of tail calls.',
    before('let generators = await Promise.all(utils.keys(groups)', 'bounds.members(1 + utils.keys(groups).length);'),
    after('function evaluateLambda(expr, input, environment) {', 'if (expr.thunk !== true) bounds.members(4);'),
  ),
  edit(
    'messages',
    'Cuts the values that messages show, and lets an error that has a message keep it.',
    before('// if there are any handlebars', "if (typeof err.message === 'string') template = '{{{message}}}';"),
    instead('return JSON.stringify(err[arguments[1]]);', 'return bounds.shown(err[arguments[1]]);'),
    instead('return err[arguments[1]];', 'return bounds.told(err[arguments[1]]);'),
  ),
];

/** The test for a function of jsonata. Data with the marks of one holds no JavaScript functions. */
const isMade = (name) =>
  `(typeof ${name}.implementation === 'function' || typeof ${name}.environment?.lookup === 'function')`;

const input = [
  edit(
    'input stays as it is',
    "Keeps jsonata's marks off the arrays and objects of the input.",
    instead(
      'resultSequence.keepSingleton = true;',
      'if (resultSequence.sequence === true) resultSequence.keepSingleton = true;',
    ),
    instead("if(typeof proc === 'object') {", `if(typeof proc === 'object' && (proc === null || ${isMade('proc')})) {`),
    instead(
      "if(result.body.procedure.type === 'variable') {",
      `var isFunctionOrScalar = typeof next !== 'object' || next === null || ${isMade('next')};
            if(isFunctionOrScalar && result.body.procedure.type === 'variable') {`,
    ),
    instead(
      'next.position = result.body.procedure.position;',
      'if(isFunctionOrScalar) next.position = result.body.procedure.position;',
    ),
  ),
];

const pictures = [
  edit(
    'pictures',
    'Limits the length of pictures, and of the texts that they read and write.',
    after('function analyseIntegerPicture(picture) {', 'bounds.picture(picture);'),
    after('function analyseDateTimePicture(picture) {', 'bounds.picture(picture);'),
    before('var defaults = {', 'bounds.picture(picture);'),
    instead(
      "var padding = (new Array(padLength + 1)).join('0');",
      "bounds.pictured(padLength); var padding = '0'.repeat(padLength);",
    ),
    before('const formatSpec = analyseIntegerPicture(picture);', 'bounds.pictured(value?.length);'),
    before('const formatSpec = analyseDateTimePicture(picture);', 'bounds.pictured(timestamp?.length);'),
  ),
  edit(
    'patterns of dates',
    'Matches the pattern of a date in linear time.',
    instead("const matcher = new RegExp(fullRegex, 'i');", "const matcher = bounds.pattern(fullRegex, 'i');"),
  ),
];

const loops = [
  edit(
    'distinct values',
    'Finds equal scalars in a set instead of comparing each with all that come before it.',
    before('// is this value already in the result sequence?', checkpoint),
    after('var results = isSequence(arr) ? this.createSequence() : [];', 'var known = new Set();'),
    instead(
      'for(var jj = 0; jj < results.length; jj++) {',
      `var simple = typeof value !== 'object' || value === null;
            if (simple) { includes = value === value && known.has(value); known.add(value); }
            for(var jj = 0; !simple && jj < results.length; jj++) {`,
    ),
  ),
  edit(
    'sorted values',
    'Merges one item at a time, in the same order of comparisons; jsonata recurses and copies the rest for each item.',
    instead(
      /var merge_iter = async function \(result[\s\S]*?var merged = \[\];\s*await merge_iter\(merged, l, r\);/g,
      `base?.guardrails?.();
            var merged = [];
            var left = 0;
            var right = 0;
            while (left < l.length && right < r.length) {
                merged.push(await comp(l[left], r[right]) ? r[right++] : l[left++]);
            }
            while (left < l.length) merged.push(l[left++]);
            while (right < r.length) merged.push(r[right++]);`,
    ),
    before('var merge = async function (l, r) {', 'var base = this?.environment?.base;'),
  ),
  edit(
    'loops',
    'Ends long loops of functions that enter no node.',
    before('result = append.call(this, result, spread.call(this, arg[ii]));', checkpoint),
    before('var res =  lookup.call(this, input[ii], key);', checkpoint),
    instead(
      'return fn.lookup.call(focus, input, expr.value);',
      'focus.environment = environment; return fn.lookup.call(focus, input, expr.value);',
    ),
    before('var allkeys = keys.call(this, arg[ii]);', checkpoint),
    before('var differentItems = arg.filter(function (val) {', 'bounds.checked(arg);'),
    before('for(const prop of utils.keys(tupleStream[ii])) {', 'environment.base.guardrails();'),
    before('var match = re.exec(str);', 'environment.base.guardrails();'),
    after('async function applyInner(proc, args, input, environment) {', 'environment.base.guardrails();'),
  ),
  edit(
    'walks',
    'Limits walks over values that share parts: what is small in memory may be endless to visit.',
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
  ),
];

const time = [
  edit(
    'clock',
    'Counts the time that the process spends on processors, and lets an evaluation that starts over keep what is left.',
    instead(
      'const time = Date.now();',
      `const processorMs = function() { const used = process.cpuUsage(); return (used.user + used.system) / 1000; };
    const time = bounds.began({ clockMs: Date.now(), processorMs: processorMs() }, options.timeout);`,
    ),
    instead(
      'Date.now() - time > options.timeout',
      'Date.now() - time.clockMs > time.leftMs && processorMs() - time.processorMs > time.leftMs',
    ),
  ),
  edit(
    'stacks',
    'Leaves out the stacks of errors: writing one takes longer than most evaluations, and dirty records fail often.',
    instead('(new Error()).stack', 'undefined', 83),
  ),
];

export const boundingEdits = [...texts, ...values, ...input, ...pictures, ...loops, ...time];
