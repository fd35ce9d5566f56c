import { useMemo, useState } from 'react';
import { isRefused } from '../../api/client';
import { faultsOf, readScores, saveRules, useFieldNames, useScores, type PassRules } from '../../api/rules';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { Field } from '../../parts/form';
import { useSettled } from '../../parts/settled';
import { useText } from '../../text';
import { BlockingCard } from './blocking-card';
import { CompositionCard } from './composition-card';
import { DecideCard } from './decide-card';
import { scaleOf, thresholdFaults, withParam, type SetParam } from './draft';
import { failureOfAll, failuresOf } from './failures';
import { FailingDialog, type FailingRules } from './failing-dialog';
import { LiveCard, pairsOf } from './live-card';
import { MatchersCard } from './matchers-card';
import { TrialCard } from './trial-card';
import { useDraft, type Draft } from './use-draft';
import { useTrialOf } from './use-trial-of';

interface PassEditorProps {
  /** The rules as they are stored. */
  newest: PassRules;
  of: Draft;
}

/** Edits the draft of one pass. The editor begins again with each stored version: its trial is about that one. */
export function PassDraft({ pass: newest }: { pass: PassRules }) {
  const draft = useDraft(newest);
  return <PassEditor key={draft.base.version} newest={newest} of={draft} />;
}

/** Edits the rules of one pass next to example pairs, which are scored again with every change. */
function PassEditor({ newest, of: { base: pass, draft, isChanged, isOvertaken, set, begin } }: PassEditorProps) {
  const { rules } = useText();
  const mayWrite = useAllows('rule-sets:write');
  const seesRecords = useAllows('records:read');
  const mayTry = mayWrite && seesRecords;
  const left = useFieldNames(pass.left_dataset_id);
  const right = useFieldNames(pass.right_dataset_id);
  const names = { left: left.data ?? [], right: right.data ?? [] };
  const scale = scaleOf(pass.params);
  const thresholds = thresholdFaults(draft.params, scale);
  const isWrong = Object.keys(thresholds).length > 0;
  // Thresholds that cannot be meant are not tried: the saved ones are in their place until they are mended.
  const { Tmatch, Tpossible } = pass.params;
  const tried = useMemo(
    () => (isWrong ? { ...draft, params: { ...draft.params, Tmatch, Tpossible } } : draft),
    [isWrong, draft, Tmatch, Tpossible],
  );
  const trial = useTrialOf(pass, tried, mayTry);
  const examples = trial.answer?.examples ?? null;
  const pairs = useMemo(() => pairsOf(examples), [examples]);
  const isChosen = pairs.length > 0;
  const scores = useScores(useSettled(tried), pass, pairs, seesRecords);
  const { isBusy, run } = useAction();
  const [failing, setFailing] = useState<FailingRules | null>(null);
  const store = async (): Promise<string> => {
    begin(await saveRules(newest, draft), draft);
    return rules.saved;
  };
  /** Finds a reason to ask before the draft is saved; null: there is none. */
  const doubtOf = async (): Promise<FailingRules | null> => {
    if (!seesRecords) return null;
    try {
      const failure = failureOfAll(failuresOf(await readScores(draft, pass, pairs)));
      return failure === undefined ? null : { failure };
    } catch (error) {
      if (isRefused(error)) throw error;
      return { error };
    }
  };
  const save = () =>
    run(async () => {
      const doubt = await doubtOf();
      setFailing(doubt);
      return doubt === null ? store() : undefined;
    });
  const setParam: SetParam = (name, value) =>
    set((before) => ({ ...before, params: withParam(before.params, name, value) }));
  const failures = failuresOf(scores.data?.results ?? []);
  const part = { draft, names, faults: faultsOf(scores.error), failures, setParam };
  return (
    <div className="rules">
      <div className="rules-edit">
        <section className="card rules-card">
          <Field label={rules.name}>
            <input
              className="input"
              value={draft.name}
              onChange={({ target: { value: name } }) => set((before) => ({ ...before, name }))}
            />
          </Field>
        </section>
        <MatchersCard {...part} setExpression={(jsonataExpr) => set((before) => ({ ...before, jsonataExpr }))} />
        <DecideCard {...part} scale={scale} thresholds={thresholds} />
        <BlockingCard {...part} />
        <CompositionCard {...part} />
        {isOvertaken ? <p className="notice">{rules.overtaken}</p> : null}
        <div className="import-actions">
          {isChanged ? <span className="badge warn">{rules.changed}</span> : null}
          {mayWrite ? null : <span className="soft">{rules.noWrite}</span>}
          {isWrong ? <span className="wrong">{rules.wrongThresholds}</span> : null}
          <button type="button" className="button quiet" disabled={!isChanged} onClick={() => begin(newest)}>
            {rules.reset}
          </button>
          <button
            type="button"
            className="button primary"
            disabled={!isChanged || isWrong || !mayWrite || isBusy}
            onClick={() => void save()}
          >
            {rules.save}
          </button>
        </div>
      </div>
      <aside className="live" aria-label={rules.live}>
        {mayTry ? (
          <TrialCard trial={trial} params={tried.params} onThreshold={(name, value) => setParam(name, value)} />
        ) : null}
        <LiveCard
          pass={pass}
          draft={tried}
          scores={scores}
          examples={isChosen ? examples : null}
          isAllowed={seesRecords}
        />
      </aside>
      {failing === null ? null : (
        <FailingDialog
          of={failing}
          isBusy={isBusy}
          onClose={() => setFailing(null)}
          onSave={() => void run(store).then(() => setFailing(null))}
        />
      )}
    </div>
  );
}
