/*
 * Edits of the synchronous build: without asynchrony, and faster. Results stay the same. The percentages are what a
 * part of the benchmark's reference expressions, or of joins over items, takes longer without the edit.
 */
import { edit, instead } from './jsonata-edit.mjs';

/** Entries of nodes between two checks of the clock. */
const entriesBetweenChecks = 64;

const synchronous = [
  edit(
    'no asynchrony',
    'Makes every function return its value instead of a promise.',
    instead(/\basync (?=function\b|\()/g, '', 45),
    instead(/\bawait /g, '', 102),
    instead(/\bPromise\.all\(/g, 'Array.from(', 2),
  ),
];

/** Declarations in front of the edited source. One evaluation runs at a time, so that its limits need no frame. */
export const speedHelpers = `
let untilGuard = 0;
let maxItems = Infinity;
// Objects made by Bare are those of Object.create(null), without becoming hash tables.
function Bare() {}
Bare.prototype = Object.create(null);
function pushWithin(item) {
    if (this.length >= maxItems) throw { code: 'D2015', stack: undefined, value: maxItems };
    this[this.length] = item;
}
function createSequence(item) {
    const sequence = [];
    sequence.push = pushWithin;
    sequence.sequence = true;
    if (arguments.length === 1) sequence.push(item);
    return sequence;
}
function flattenInto(sequence, items) {
    for (let i = 0; i < items.length; i++) sequence.push(items[i]);
    return sequence;
}
const hasOwn = Object.prototype.hasOwnProperty;
const signatures = new Map();
class Frame {
    constructor(enclosing) {
        this.enclosing = enclosing;
        this.bindings = undefined;
        this.base = enclosing === null ? undefined : enclosing.base;
        this.timestamp = enclosing === null ? null : enclosing.timestamp;
    }
    bind(name, value) {
        this.bindings ??= new Map();
        this.bindings.set(name, value);
    }
    lookup(name) {
        for (let frame = this; frame !== null; frame = frame.enclosing) {
            if (frame.bindings === undefined) continue;
            const value = frame.bindings.get(name);
            if (value !== undefined || frame.bindings.has(name)) return value;
        }
        return undefined;
    }
}
`;

const faster = [
  edit(
    'clock now and then',
    'Checks the depth at every node, the clock at every 64th (37 %) or sooner where work enters no node.',
    instead(
      'environment.base.depth++;\n        environment.base.guardrails();',
      'var base = environment.base;\n        if (++base.depth > base.maxDepth || --untilGuard < 0) base.guardrails();',
    ),
    instead('environment.base.depth--;', 'base.depth--;'),
    instead(
      'exec_env.guardrails = function() {\n',
      `exec_env.maxDepth = options.stack > 0 ? options.stack : Infinity; exec_env.guardrails = function() {
                        untilGuard = ${entriesBetweenChecks};\n`,
    ),
    instead(
      'exec_env.guardrails = function() {};',
      'exec_env.maxDepth = Infinity; exec_env.guardrails = function() {};',
    ),
    instead('bounds.visited(++budget.nodes);', 'bounds.visited(++budget.nodes); untilGuard -= 1;', 4),
    instead(
      'bounds.text(lstr.length + rstr.length);',
      'bounds.text(lstr.length + rstr.length); untilGuard -= (lstr.length + rstr.length) >> 6;',
    ),
  ),
  edit(
    'frames',
    'Holds variables in a class instead of closures of each frame (40 % of a join).',
    instead(
      /(?<=function createFrame\(enclosingEnvironment\) \{)[\s\S]*?return newFrame\n/g,
      'return new Frame(enclosingEnvironment);\n',
    ),
  ),
  edit(
    'no debugger',
    'Leaves out the callbacks of a debugger, which nothing binds (35 %).',
    instead(/var entryCallback = [\s\S]*?\n {8}\}\n/g, ''),
    instead(/var exitCallback = [\s\S]*?\n {8}\}\n/g, ''),
  ),
  edit(
    'sequences',
    'Gives all sequences one function to push (63 %), and makes the sequence of a step over one value at once (18 %).',
    instead(
      /exec_env\.createSequence = function\(\) \{[\s\S]*?return sequence;\n\s*\}\n/g,
      'exec_env.createSequence = createSequence; maxItems = options?.sequence || Infinity;\n',
    ),
    instead('environment.base.createSequence(', 'createSequence(', 10),
    instead(
      `result = createSequence();

        for(var ii = 0; ii < input.length; ii++) {
            var res = evaluate(expr, input[ii], environment);
            if(expr.stages) {`,
      `if (input.length === 1 && !expr.stages) {
            var only = evaluate(expr, input[0], environment);
            if (typeof only === 'undefined') return createSequence();
            if (!Array.isArray(only)) return createSequence(only);
            if (lastStep && !isSequence(only)) return only;
            if (only.cons) return createSequence(only);
            return flattenInto(createSequence(), only);
        }
        result = createSequence();

        for(var ii = 0; ii < input.length; ii++) {
            var res = evaluate(expr, input[ii], environment);
            if(expr.stages) {`,
    ),
  ),
  edit(
    'objects',
    'Makes objects that are filled key by key from a constructor (57 %).',
    instead('tuple = Object.create(null);', 'tuple = new Bare();'),
    instead(
      'var result = Object.create(null);\n        var groups = Object.create(null);',
      'var result = new Bare();\n        var groups = new Bare();',
    ),
  ),
  edit(
    'clones',
    'Clones values without writing and parsing their JSON (51 % of a transform).',
    instead(
      'return JSON.parse(fn.string(arg));',
      "return typeof arg === 'object' && !isFunction(arg) ? bounds.clone(arg) : JSON.parse(fn.string(arg));",
    ),
  ),
  edit(
    'names',
    'Looks a name up in one object without a call (10 % of a transform).',
    instead(
      "// lookup the 'name' item in the input\n        var focus = {",
      `if (!Array.isArray(input)) {
            var isObject = input !== null && typeof input === 'object';
            return isObject && hasOwn.call(input, expr.value) && !isFunction(input) ? input[expr.value] : undefined;
        }
        var focus = {`,
    ),
  ),
  edit(
    'signatures',
    'Parses a signature once (12 % of a transform) and validates each shape of arguments once (21 %).',
    instead(
      `args.forEach(function (arg) {
                    suppliedSig += getSymbol(arg);
                });
                var isValid = regex.exec(suppliedSig);`,
      `for (var at = 0; at < args.length; at++) suppliedSig += getSymbol(args[at]);
                var known = shapes.get(suppliedSig);
                if (typeof known === 'undefined') {
                    known = { match: regex.exec(suppliedSig) };
                    known.asGiven = known.match !== null &&
                        params.every((param, index) => param.type !== 'a' && known.match[index + 1].length === 1);
                    if (shapes.size < 100) shapes.set(suppliedSig, known);
                }
                if (known.asGiven) return args;
                var isValid = known.match;`,
    ),
    instead('var regex = new RegExp(regexStr);', 'var regex = new RegExp(regexStr); var shapes = new Map();'),
    // The map holds the signatures of jsonata's functions and of ours, none that an expression writes.
    instead(
      'definition.signature = parseSignature(signature);',
      `definition.signature = signatures.get(signature) ?? parseSignature(signature);
            signatures.set(signature, definition.signature);`,
    ),
  ),
];

export const synchronousEdits = [...synchronous, ...faster];
