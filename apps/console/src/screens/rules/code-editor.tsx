import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { completeNames, jsonataLanguage, type KnownNames } from './language';

const theme = EditorView.theme({
  '&': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    background: 'var(--paper)',
    color: 'var(--ink)',
    fontSize: 'var(--text-s)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-content': { padding: 'var(--space-2) 0', fontFamily: 'var(--font-mono)', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 var(--space-3)' },
  '.cm-scroller': { maxHeight: '16rem', lineHeight: '1.55' },
  '.cm-placeholder': { color: 'var(--ink-soft)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { background: 'var(--accent-soft) !important' },
  '.cm-matchingBracket': { background: 'var(--accent-soft)', color: 'inherit' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    background: 'var(--paper)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow-l)',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px var(--space-2)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.75' },
  '.cm-completionInfo': { maxWidth: '18rem', padding: 'var(--space-2) var(--space-3)' },
  '.cm-diagnostic': { padding: 'var(--space-1) var(--space-3)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '550' },
  { tag: [tags.operatorKeyword, tags.operator, tags.bracket], color: 'var(--ink-soft)' },
  { tag: tags.typeName, fontWeight: '650' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--warn)' },
  { tag: [tags.number, tags.atom], color: 'var(--danger)' },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
]);

export interface CodeEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  names: KnownNames;
  hint?: string;
  marks: readonly EditorMark[];
}

/** A message about a part of an expression, or about all of it where no position is known. */
export interface EditorMark {
  severity: 'error' | 'warning';
  message: string;
  /** From 1. */
  position?: number;
  /** Default: 1. */
  length?: number;
}

/**
 * Replaces a selection by what is typed over it. The browser would give the text the colours that were selected, by an
 * inline style, which the policy of the page refuses.
 */
function replaceBySelf(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  const { data: text, inputType } = event;
  if (inputType !== 'insertText' || text === null || empty || view.composing) return false;
  const insert = () =>
    view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
  event.preventDefault();
  return true;
}

/**
 * An editor of JSONata. It is in a shadow tree, where its styles can be adopted style sheets: the content security
 * policy allows no style elements.
 */
export default function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const current = useRef(props);
  /** Texts that were typed, and that the properties do not have yet. */
  const typed = useRef<string[]>([]);
  const isGiven = useRef(false);
  useEffect(() => {
    current.current = props;
  });
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: current.current.value,
        extensions: [
          history(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ override: [completeNames(() => current.current.names)] }),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          jsonataLanguage,
          syntaxHighlighting(colours),
          theme,
          EditorView.lineWrapping,
          placeholder(current.current.hint ?? ''),
          EditorView.contentAttributes.of({ 'aria-label': current.current.label, spellcheck: 'false' }),
          EditorView.domEventHandlers({ beforeinput: replaceBySelf }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || isGiven.current) return;
            const text = update.state.doc.toString();
            typed.current.push(text);
            current.current.onChange(text);
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  const { value, marks } = props;
  const markTexts = JSON.stringify(marks);
  useEffect(() => {
    const editor = view.current;
    // A text that was typed comes back when more has been typed already: it is not put in the place of that.
    const at = typed.current.indexOf(value);
    typed.current = at < 0 ? [] : typed.current.slice(at + 1);
    if (at >= 0 || editor === null || editor.state.doc.toString() === value) return;
    isGiven.current = true;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    isGiven.current = false;
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { length: end } = editor.state.doc;
    const diagnostics = (JSON.parse(markTexts) as EditorMark[]).map(({ severity, message, position, length = 1 }) => {
      const from = Math.min(Math.max(0, (position ?? 1) - 1), Math.max(0, end - 1));
      return { from, to: position === undefined ? end : Math.min(end, from + length), severity, message };
    });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [markTexts]);
  // Keys that are typed here are no shortcuts of the screen, which sees the host and not what is in it.
  return <div ref={host} className="code-editor" onKeyDown={(event) => event.nativeEvent.stopPropagation()} />;
}
