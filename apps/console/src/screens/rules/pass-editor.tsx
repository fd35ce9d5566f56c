import { useMemo } from 'react';
import { faultsOf, saveRules, useFieldNames, useScores, type PassRules } from '../../api/rules';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { Field } from '../../parts/form';
import { useSettled } from '../../parts/settled';
import { useText } from '../../text';
import { BlockingCard } from './blocking-card';
import { CompositionCard } from './composition-card';
import { DecideCard } from './decide-card';
import { withParam, type SetParam } from './draft';
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
  const trial = useTrialOf(pass, draft, mayTry);
  const examples = trial.answer?.examples ?? null;
  const pairs = useMemo(() => pairsOf(examples), [examples]);
  const isChosen = pairs.length > 0;
  const scores = useScores(useSettled(draft), pass, pairs, seesRecords);
  const { isBusy, run } = useAction();
  const setParam: SetParam = (name, value) =>
    set((before) => ({ ...before, params: withParam(before.params, name, value) }));
  const part = { draft, names, faults: faultsOf(scores.error), setParam };
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
        <DecideCard {...part} />
        <BlockingCard {...part} />
        <CompositionCard {...part} />
        {isOvertaken ? <p className="notice">{rules.overtaken}</p> : null}
        <div className="import-actions">
          {isChanged ? <span className="badge warn">{rules.changed}</span> : null}
          {mayWrite ? null : <span className="soft">{rules.noWrite}</span>}
          <button type="button" className="button quiet" disabled={!isChanged} onClick={() => begin(newest)}>
            {rules.reset}
          </button>
          <button
            type="button"
            className="button primary"
            disabled={!isChanged || !mayWrite || isBusy}
            onClick={() =>
              void run(async () => {
                begin(await saveRules(newest, draft), draft);
                return rules.saved;
              })
            }
          >
            {rules.save}
          </button>
        </div>
      </div>
      <aside className="live" aria-label={rules.live}>
        {mayTry ? (
          <TrialCard trial={trial} params={draft.params} onThreshold={(name, value) => setParam(name, value)} />
        ) : null}
        <LiveCard
          pass={pass}
          draft={draft}
          scores={scores}
          examples={isChosen ? examples : null}
          isAllowed={seesRecords}
        />
      </aside>
    </div>
  );
}
