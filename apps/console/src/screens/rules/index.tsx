import { useState } from 'react';
import { useReconciliation, type ReconciliationAnswer } from '../../api/reconciliations';
import { setPasses, usePasses, useRuleSets, type PassRules } from '../../api/rules';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { useAddress, usePathId } from '../../parts/address';
import { PageHead } from '../../parts/frame';
import { Icon } from '../../parts/icons';
import { Empty, Loaded } from '../../parts/states';
import { useText } from '../../text';
import { canBePass, moved } from './draft';
import { PassDraft } from './pass-editor';
import { SuggestDialog } from './suggest-dialog';

export default function Rules() {
  const query = useReconciliation(usePathId());
  return <Loaded query={query}>{(reconciliation) => <Passes reconciliation={reconciliation} />}</Loaded>;
}

function Passes({ reconciliation }: { reconciliation: ReconciliationAnswer }) {
  const { rules } = useText();
  const query = usePasses(reconciliation.rule_set_ids);
  const { search } = useAddress();
  const mayWrite = useAllows('reconciliations:write');
  const [isSuggesting, setSuggesting] = useState(false);
  const { isBusy, run } = useAction();
  const change = (ids: string[]) =>
    void run(async () => {
      await setPasses(reconciliation.id, ids);
      return undefined;
    });
  return (
    <>
      <PageHead name={rules.title} title={rules.title}>
        {mayWrite ? (
          <button type="button" className="button" onClick={() => setSuggesting(true)}>
            {rules.suggest}
          </button>
        ) : null}
      </PageHead>
      <Loaded query={query}>
        {(passes) => {
          const chosen = passes.find(({ id }) => id === search['pass']) ?? passes[0];
          return (
            <>
              <PassList
                reconciliation={reconciliation}
                passes={passes}
                chosen={chosen}
                isBusy={isBusy}
                onChange={mayWrite ? change : undefined}
              />
              {chosen ? (
                <PassDraft key={chosen.id} pass={chosen} />
              ) : (
                <Empty title={rules.none}>
                  <p>{rules.noneHint}</p>
                </Empty>
              )}
            </>
          );
        }}
      </Loaded>
      {isSuggesting ? (
        <SuggestDialog
          reconciliation={reconciliation}
          onClose={() => setSuggesting(false)}
          onAdd={(id) => change([...reconciliation.rule_set_ids, id])}
        />
      ) : null}
    </>
  );
}

interface PassListProps {
  reconciliation: ReconciliationAnswer;
  passes: readonly PassRules[];
  chosen: PassRules | undefined;
  isBusy: boolean;
  /** Absent: the order may not be changed. */
  onChange: ((ids: string[]) => void) | undefined;
}

function PassList({ reconciliation, passes, chosen, isBusy, onChange }: PassListProps) {
  const { rules } = useText();
  const { setSearch } = useAddress();
  const others = useRuleSets();
  const ids = passes.map(({ id }) => id);
  const addable = (others.data?.items ?? []).filter((one) => !ids.includes(one.id) && canBePass(one, reconciliation));
  return (
    <div className="passes">
      <ol aria-label={rules.passes}>
        {passes.map(({ id, name }, at) => (
          <li key={id} className={id === chosen?.id ? 'pass current' : 'pass'}>
            <button
              type="button"
              className="pass-name"
              aria-pressed={id === chosen?.id}
              onClick={() => setSearch({ pass: id })}
            >
              <span className="soft figures">{at + 1}</span> <bdi>{name}</bdi>
            </button>
            {onChange && id === chosen?.id ? (
              <span className="pass-tools">
                <button
                  type="button"
                  className="icon-button"
                  aria-label={rules.up}
                  disabled={isBusy || at === 0}
                  onClick={() => onChange(moved(ids, at, -1))}
                >
                  <Icon name="up" />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={rules.down}
                  disabled={isBusy || at === passes.length - 1}
                  onClick={() => onChange(moved(ids, at, 1))}
                >
                  <Icon name="down" />
                </button>
                {passes.length > 1 ? (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={rules.removePass}
                    disabled={isBusy}
                    onClick={() => onChange(ids.filter((one) => one !== id))}
                  >
                    <Icon name="close" />
                  </button>
                ) : null}
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      {onChange && addable.length > 0 ? (
        <select
          className="input pass-add"
          aria-label={rules.addPass}
          value=""
          disabled={isBusy}
          onChange={(event) => onChange([...ids, event.target.value])}
        >
          <option value="">{rules.addPass}</option>
          {addable.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ) : null}
    </div>
  );
}
