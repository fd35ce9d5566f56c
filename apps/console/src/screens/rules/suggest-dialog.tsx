import { useEffect, useState } from 'react';
import { tieout } from '../../api/client';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { useSuggestedRules, type SuggestedRules } from '../../api/rules';
import { useAction } from '../../parts/action';
import { Dialog, DialogActions } from '../../parts/dialog';
import { Fault, Skeleton } from '../../parts/states';
import { Warned } from '../../parts/warned';
import { useFormats, useText } from '../../text';

interface SuggestDialogProps {
  reconciliation: ReconciliationAnswer;
  onClose: () => void;
  onAdd: (ruleSetId: string) => void;
}

/** Has rules learnt from the records of the first dataset of each side, and shows why they are as they are. */
export function SuggestDialog({ reconciliation, onClose, onAdd }: SuggestDialogProps) {
  const { rules } = useText();
  const [id, setId] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const query = useSuggestedRules(id);
  const { isBusy, run } = useAction();
  const [left] = reconciliation.left_dataset_ids;
  const [right] = reconciliation.right_dataset_ids;
  useEffect(() => {
    if (left === undefined || right === undefined) return;
    tieout
      .suggestRuleSet({
        body: { leftDatasetId: left, rightDatasetId: right },
        idempotencyKey: suggestionKey(left, right),
      })
      .then((started) => setId(started.id), setFailure);
  }, [left, right]);
  const given = query.data?.answer ?? null;
  const answer = given !== null && 'connected' in given ? given : null;
  const fault = failure ?? query.error ?? (query.data?.error ? new Error(query.data.error.message) : null);
  const add = (suggested: SuggestedRules) =>
    void run(async () => {
      const { id: added } = await tieout.createRuleSet({ body: suggested.rule_set as never });
      onAdd(added);
      onClose();
      return undefined;
    });
  return (
    <Dialog title={rules.suggested} isWide onClose={onClose}>
      {fault ? (
        <Fault error={fault} />
      ) : answer === null ? (
        <div role="status">
          <p className="soft">{rules.suggesting}</p>
          <Skeleton />
        </div>
      ) : 'matchers' in answer ? (
        <Answer answer={answer} />
      ) : (
        <>
          <h3>{rules.nothing}</h3>
          <p>{answer.reason}</p>
        </>
      )}
      <DialogActions onClose={onClose}>
        {answer !== null && 'matchers' in answer ? (
          <button type="button" className="button primary" disabled={isBusy} onClick={() => add(answer)}>
            {rules.useIt}
          </button>
        ) : null}
      </DialogActions>
    </Dialog>
  );
}

/** One question within ten minutes is asked once, also where a browser draws the dialog twice. */
const suggestionKey = (left: string, right: string): string =>
  ['suggest', left, right, Math.floor(Date.now() / 600_000)].join('-');

function Answer({ answer }: { answer: SuggestedRules }) {
  const { rules } = useText();
  const formats = useFormats();
  const { expected, matchers, blocking, warnings } = answer;
  return (
    <>
      <p>
        {rules.suggestedHint(
          formats.percent(expected.precision),
          formats.percent(expected.recall),
          formats.count(expected.matches),
        )}
      </p>
      {warnings.map(({ code, message }) => (
        <p key={code} className="notice">
          <Warned code={code} message={message} />
        </p>
      ))}
      <h3>{rules.matchers}</h3>
      <ul className="plain-list">
        {matchers.map(({ id, name, strength }) => (
          <li key={id}>
            <bdi>{name}</bdi>{' '}
            <span className="badge good">{rules.strength({ value: strength, text: formats.number(strength, 1) })}</span>
          </li>
        ))}
      </ul>
      <h3>{rules.blocking}</h3>
      <ul className="plain-list">
        {blocking.map(({ name, why }) => (
          <li key={name}>
            <bdi>{name}</bdi>: {why}
          </li>
        ))}
      </ul>
    </>
  );
}
