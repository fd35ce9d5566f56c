/*
 * Edits of the synchronous build that make it faster: the same results, sooner. They are applied last, to a text without
 * asynchrony, and counted as those of `jsonata-edits.mjs`.
 */

const instead = (find, replace, places = 1) => ({ find, replace, places });

/** Entries of nodes, and steps of walks, between two looks at the clock. */
const entriesBetweenLooks = 64;

/**
 * What the edited text calls. One evaluation runs at a time: the limits of the one under way need no frame to be found.
 * Objects made by Bare are those of `Object.create(null)`, without becoming hash tables.
 */
export const speedHelpers = `
let untilGuard = 0;
let mostItems = Infinity;
function Bare() {}
Bare.prototype = Object.create(null);
function pushWithin(item) {
    if (this.length >= mostItems) throw { code: 'D2015', stack: undefined, value: mostItems };
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
const nativeArguments = new WeakMap();
const nativeBodies = new WeakMap();
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

/** The clock is looked at now and then, the depth always; what takes long without entering a node brings the next look forward. */
const guards = [
  instead(
    'environment.base.depth++;\n        environment.base.guardrails();',
    'var base = environment.base;\n        if (++base.depth > base.mostDepth || --untilGuard < 0) base.guardrails();',
  ),
  instead('environment.base.depth--;', 'base.depth--;'),
  instead(
    'exec_env.guardrails = function() {\n',
    `exec_env.mostDepth = options.stack > 0 ? options.stack : Infinity; exec_env.guardrails = function() {
                        untilGuard = ${entriesBetweenLooks};\n`,
  ),
  instead(
    'exec_env.guardrails = function() {};',
    'exec_env.mostDepth = Infinity; exec_env.guardrails = function() {};',
  ),
  instead('bounds.visited(++budget.nodes);', 'bounds.visited(++budget.nodes); untilGuard -= 1;', 4),
  instead(
    'bounds.text(lstr.length + rstr.length);',
    'bounds.text(lstr.length + rstr.length); untilGuard -= (lstr.length + rstr.length) >> 6;',
  ),
  instead(
    'this?.environment?.base?.guardrails?.(); // is this',
    'if (--untilGuard < 0) this?.environment?.base?.guardrails?.(); // is this',
  ),
  instead(
    'this?.environment?.base?.guardrails?.(); var res =  lookup.call',
    'if (--untilGuard < 0) this?.environment?.base?.guardrails?.(); var res =  lookup.call',
  ),
];

const frames = [
  {
    find: /(?<=function createFrame\(enclosingEnvironment\) \{)[\s\S]*?return newFrame\n/g,
    replace: 'return new Frame(enclosingEnvironment);\n',
    places: 1,
  },
  // Callbacks of a debugger, which nobody binds.
  { find: /var entryCallback = [\s\S]*?\n {8}\}\n/g, replace: '', places: 1 },
  { find: /var exitCallback = [\s\S]*?\n {8}\}\n/g, replace: '', places: 1 },
  { find: /\s*environment\.isParallelCall = idx > 0/g, replace: '', places: 2 },
];

const sequences = [
  {
    find: /exec_env\.createSequence = function\(\) \{[\s\S]*?return sequence;\n\s*\}\n/g,
    replace: 'exec_env.createSequence = createSequence; mostItems = options?.sequence || Infinity;\n',
    places: 1,
  },
  instead('environment.base.createSequence(', 'createSequence(', 10),
  // A step over one value makes the sequence of its results at once.
  instead(
    'result = createSequence();\n\n        for(var ii = 0; ii < input.length; ii++) {\n            var res = evaluate(expr, input[ii], environment);\n            if(expr.stages) {',
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
  instead('Array.prototype.forEach.call(res, val => resultSequence.push(val));', 'flattenInto(resultSequence, res);'),
];

/** Objects that are filled and read key by key. */
const objects = [
  instead('tuple = Object.create(null);', 'tuple = new Bare();'),
  instead(
    'var result = Object.create(null);\n        var groups = Object.create(null);',
    'var result = new Bare();\n        var groups = new Bare();',
  ),
  instead(
    'var result = Object.create(null);\n        var focus = {',
    'var result = new Bare();\n        var focus = {',
  ),
  instead(
    'return JSON.parse(fn.string(arg));',
    "return typeof arg === 'object' && !isFunction(arg) ? bounds.clone(arg) : JSON.parse(fn.string(arg));",
  ),
];

const nodes = [
  instead("Object.prototype.hasOwnProperty.call(expr, 'predicate')", "typeof expr.predicate !== 'undefined'"),
  instead("Object.prototype.hasOwnProperty.call(expr, 'group')", "typeof expr.group !== 'undefined'", 2),
  instead(
    "// lookup the 'name' item in the input\n        var focus = {",
    `if (!Array.isArray(input)) {
            return input !== null && typeof input === 'object' && hasOwn.call(input, expr.value) && !isFunction(input) ? input[expr.value] : undefined;
        }
        var focus = {`,
  ),
];

/** Functions: what depends on their signature or text alone is worked out once. */
const calls = [
  instead(
    'args.forEach(function (arg) {\n                    suppliedSig += getSymbol(arg);\n                });\n                var isValid = regex.exec(suppliedSig);',
    `for (var at = 0; at < args.length; at++) suppliedSig += getSymbol(args[at]);
                var known = shapes.get(suppliedSig);
                if (typeof known === 'undefined') {
                    known = { match: regex.exec(suppliedSig) };
                    known.asGiven = known.match !== null && params.every((param, index) => param.type !== 'a' && known.match[index + 1].length === 1);
                    if (shapes.size < 100) shapes.set(suppliedSig, known);
                }
                if (known.asGiven) return args;
                var isValid = known.match;`,
  ),
  // Those of jsonata's functions and ours; what an expression writes does not come here.
  instead(
    'definition.signature = parseSignature(signature);',
    'definition.signature = signatures.get(signature) ?? parseSignature(signature);\n            signatures.set(signature, definition.signature);',
  ),
  instead('var regex = new RegExp(regexStr);', 'var regex = new RegExp(regexStr); var shapes = new Map();'),
  instead(
    'var sigParens = ',
    'var known = nativeArguments.get(func); if (known) return known;\n        var sigParens = ',
  ),
  instead(
    "var sigArgs = sigParens.split(',');\n        return sigArgs;",
    "var sigArgs = sigParens.split(',');\n        nativeArguments.set(func, sigArgs);\n        return sigArgs;",
  ),
  instead(
    'function getNativeFunctionArguments(func) {\n        var signature = func.toString();',
    'function getNativeFunctionArguments(func) {',
  ),
  instead('/\\(([^)]*)\\)/.exec(signature)', '/\\(([^)]*)\\)/.exec(func.toString())'),
  instead(
    'var bodyAST = parser(body);\n        bodyAST.body = native;',
    'var bodyAST = nativeBodies.get(native) ?? parser(body);\n        bodyAST.body = native;\n        nativeBodies.set(native, bodyAST);',
  ),
];

export const faster = [...guards, ...frames, ...sequences, ...objects, ...nodes, ...calls];
