import type { CompositionForm } from '../../api/rules';
import { Check, Field, Pick } from '../../parts/form';
import { useText } from '../../text';
import { faultAt, withParam, type RulesPart } from './draft';
import { NumberInput } from './number-input';

/** Groups that add up to one record. */
export function CompositionCard({ draft: { params }, names, faults, setParam }: RulesPart) {
  const { rules } = useText();
  const composition = params.composition ?? {};
  const set = <K extends keyof CompositionForm>(name: K, value: CompositionForm[K] | undefined): void =>
    setParam('composition', withParam(composition, name, value));
  const wrong = (name: string): string | undefined => faultAt(faults, `/params/composition/${name}`)?.message;
  const hasDates = (composition.dateStrategy ?? 'none') !== 'none';
  return (
    <section className="card rules-card">
      <div>
        <h2>{rules.composition}</h2>
        <p className="soft">{rules.compositionHint}</p>
      </div>
      <Check label={rules.compose} isOn={composition.enabled ?? false} onChange={(isOn) => set('enabled', isOn)} />
      {composition.enabled ? (
        <>
          <div className="import-options">
            <Pick
              label={rules.direction}
              value={composition.direction ?? 'left_to_many_right'}
              options={Object.entries(rules.directions)}
              onPick={(value) => set('direction', value)}
            />
            <NumberInput
              label={rules.maxGroupSize}
              value={composition.maxGroupSize}
              placeholder="12"
              min={2}
              max={60}
              step={1}
              wrong={wrong('maxGroupSize')}
              onChange={(value) => set('maxGroupSize', value)}
            />
            <NumberInput
              label={rules.tolerance}
              value={composition.amountTolerance}
              placeholder="0"
              min={0}
              wrong={wrong('amountTolerance')}
              onChange={(value) => set('amountTolerance', value)}
            />
            <Field label={rules.groupBy}>
              <input
                className="input mono"
                list="names-member"
                value={composition.groupByField ?? ''}
                onChange={(event) => set('groupByField', event.target.value)}
              />
              <datalist id="names-member">
                {[...new Set([...names.left, ...names.right])].map((one) => (
                  <option key={one} value={one} />
                ))}
              </datalist>
            </Field>
            <Pick
              label={rules.dateStrategy}
              value={composition.dateStrategy ?? 'none'}
              options={Object.entries(rules.strategies)}
              onPick={(value) => set('dateStrategy', value)}
            />
            {hasDates ? (
              <NumberInput
                label={rules.within}
                value={composition.dateToleranceDays}
                placeholder={String(params.windowDays ?? 0)}
                min={0}
                step={1}
                wrong={wrong('dateToleranceDays')}
                onChange={(value) => set('dateToleranceDays', value)}
              />
            ) : null}
          </div>
          <Check
            label={rules.negatives}
            isOn={composition.allowNegativeAmounts ?? false}
            onChange={(isOn) => set('allowNegativeAmounts', isOn)}
          />
          <Check
            label={rules.partial}
            isOn={composition.partial?.enabled ?? false}
            onChange={(isOn) => set('partial', { ...composition.partial, enabled: isOn })}
          />
          <Check
            label={rules.installments}
            isOn={composition.installmentDiscovery?.enabled ?? false}
            onChange={(isOn) => set('installmentDiscovery', { ...composition.installmentDiscovery, enabled: isOn })}
          />
        </>
      ) : null}
    </section>
  );
}
