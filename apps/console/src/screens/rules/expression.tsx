import { lazy, Suspense } from 'react';
import type { CodeEditorProps } from './code-editor';

const CodeEditor = lazy(() => import('./code-editor'));

/** An expression with its name, and what is wrong with it in words. */
export function ExpressionInput(props: CodeEditorProps & { isBare?: boolean }) {
  const { label, value, fault, isBare = false } = props;
  return (
    <div className="field">
      {isBare ? null : <span aria-hidden="true">{label}</span>}
      <Suspense fallback={<pre className="code-plain mono">{value || ' '}</pre>}>
        <CodeEditor {...props} />
      </Suspense>
      {fault ? (
        <small className="wrong" role="alert">
          {fault.message}
        </small>
      ) : null}
    </div>
  );
}
