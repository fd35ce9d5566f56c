import type { Side } from '@tieout/engine';
import { lazy, Suspense } from 'react';
import type { PlacedFault } from '../../api/rules';
import { useSideNames } from '../../parts/sides';
import { useFormats, useText } from '../../text';
import type { CodeEditorProps, EditorMark } from './code-editor';
import type { FailureCount } from './failures';
import { unknownNames, type UnknownName } from './names-in';

const CodeEditor = lazy(() => import('./code-editor'));

interface ExpressionInputProps extends Omit<CodeEditorProps, 'marks'> {
  isBare?: boolean;
  /** The expression reads a pair, by `left` and `right`, or a record of one side. */
  of: 'pair' | Side;
  /** The fault of the expression, with its position if it is known. */
  fault?: Pick<PlacedFault, 'message' | 'position'> | undefined;
  /** The expression has no value for some of the example pairs. */
  failure?: FailureCount | undefined;
}

/** An expression with its name, and what is wrong with it in words. */
export function ExpressionInput({ isBare = false, of, fault, failure, ...editor }: ExpressionInputProps) {
  const { rules } = useText();
  const formats = useFormats();
  const sides = useSideNames();
  const { label, value, names } = editor;
  const saidOf = ({ kind, name, side, nearest }: UnknownName): string => {
    const unknown = kind === 'function' ? rules.noFunction(name) : rules.noField(name, sides[side ?? 'left']);
    return nearest === null ? unknown : `${unknown} ${rules.nearest(nearest)}`;
  };
  const unknown = unknownNames(value, names, of);
  const marks: EditorMark[] = [
    ...(fault ? [{ ...fault, severity: 'error' as const }] : []),
    ...unknown.map((one) => ({
      severity: one.kind === 'function' ? ('error' as const) : ('warning' as const),
      message: saidOf(one),
      position: one.position,
      length: one.length,
    })),
  ];
  const said = [...new Map(marks.map((mark) => [mark.message, mark])).values()];
  return (
    <div className="field">
      {isBare ? null : <span aria-hidden="true">{label}</span>}
      <Suspense fallback={<pre className="code-plain mono">{value || ' '}</pre>}>
        <CodeEditor {...editor} marks={marks} />
      </Suspense>
      {said.map(({ severity, message }) => (
        <small key={message} className={severity === 'error' ? 'wrong' : 'doubtful'} role="alert">
          <bdi>{message}</bdi>
        </small>
      ))}
      {failure && !fault ? (
        <small className="wrong" role="alert">
          {rules.failsOn(formats.count(failure.count), formats.counted(failure.of))}{' '}
          <bdi lang="en">{failure.message}</bdi>
        </small>
      ) : null}
    </div>
  );
}
