import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import { functions } from './functions';

interface State {
  isComment: boolean;
}

const words = /^(?:and|or|in)\b/;
const constants = /^(?:true|false|null|function|λ)\b/;

/** Colours JSONata. A slash begins a regular expression where no value stands before it. */
const parser: StreamParser<State & { hasValue: boolean }> = {
  startState: () => ({ isComment: false, hasValue: false }),
  copyState: (state) => ({ ...state }),
  token: (stream, state) => {
    if (state.isComment || stream.match('/*')) {
      state.isComment = !stream.match(/^.*?\*\//);
      if (state.isComment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    const valueBefore = state.hasValue;
    const as = (token: string | null, hasValue: boolean): string | null => {
      state.hasValue = hasValue;
      return token;
    };
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return as('string', true);
    if (stream.match(/^`[^`]*`?/)) return as('propertyName', true);
    if (!valueBefore && stream.match(/^\/(?:[^/\\]|\\.)+\/[im]*/)) return as('string.special', true);
    if (stream.match(/^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/)) return as('number', true);
    if (stream.match(/^\$[A-Za-z_]\w*(?=\s*\()/)) return as('keyword', false);
    if (stream.match(/^\$\$?\w*/)) return as('variableName', true);
    if (stream.match(words)) return as('operatorKeyword', false);
    if (stream.match(constants)) return as('atom', true);
    if (stream.match(/^(?:left|right)\b/)) return as('typeName', true);
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)) return as('propertyName', true);
    if (stream.match(/^[)\]}]/)) return as('bracket', true);
    if (stream.match(/^[([{]/)) return as('bracket', false);
    if (stream.match(/^(?::=|!=|<=|>=|~>|\.\.|\?\?|\?:|[-+*/%&|=<>?:;,.^@#!~])/)) return as('operator', false);
    stream.next();
    return as(null, false);
  },
  languageData: {
    commentTokens: { block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"', "'"] },
  },
};

export const jsonataLanguage = StreamLanguage.define(parser);

/** The names that may stand behind `left.` and `right.`, or alone where one record is read. */
export interface KnownNames {
  left: readonly string[];
  right: readonly string[];
}

const quoted = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `\`${name}\``);

/** Completes functions behind `$`, and fields behind a side. */
export function completeNames(names: () => KnownNames): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const ofSide = context.matchBefore(/\b(left|right)\.`?[\p{L}\p{N}_]*$/u);
    if (ofSide) {
      const side = ofSide.text.startsWith('left') ? 'left' : 'right';
      return {
        from: ofSide.from + side.length + 1,
        options: names()[side].map((name) => ({ label: quoted(name), type: 'property' })),
        validFor: /^`?[\p{L}\p{N}_]*$/u,
      };
    }
    const word = context.matchBefore(/\$?[\p{L}\p{N}_]*$/u);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    return {
      from: word.from,
      options: [
        ...functions.map(([label, call, info]) => ({ label, detail: call, info, type: 'function' })),
        ...['left', 'right'].map((label) => ({ label, type: 'variable' })),
        ...['and', 'or', 'in', 'true', 'false', 'null'].map((label) => ({ label, type: 'keyword' })),
      ],
      validFor: /^\$?[\p{L}\p{N}_]*$/u,
    };
  };
}
