import type { CompositionForm } from '../../api/rules';
import { Check, Pick } from '../../parts/form';
import { useSideNames } from '../../parts/sides';
import { useText } from '../../text';
import { CompositionMore } from './composition-more';
import { faultAt, withParam, type RulesPart } from './draft';
import { NumberInput } from './number-input';
import { PathInput } from './path-input';

/** Groups that add up to one record. */
export function CompositionCard(part: RulesPart) {
  const { rules } = useText();
  const sides = useSideNames();
  const {
    draft: { params },
    names,
    faults,
    setParam,
  } = part;
  const composition = params.composition ?? {};
  const set = <K extends keyof CompositionForm>(name: K, value: CompositionForm[K] | undefined): void =>
    setParam('composition', withParam(composition, name, value));
  const wrong = (name: string): string | undefined => faultAt(faults, `/params/composition/${name}`)?.message;
  const hasDates = (composition.dateStrategy ?? 'none') !== 'none';
  const direction = composition.direction ?? 'left_to_many_right';
  const members = { left_to_many_right: names.right, right_to_many_left: names.left }[direction];
  return (
    <section className="card rules-card">
      <div>
        <h2>{rules.composition}</h2>
        <p className="soft">{rules.compositionHint}</p>
      </div>
      <Check label={rules.compose} isOn={composition.enabled ?? false} onChange={(isOn) => set('enabled', isOn)} />
      {composition.enabled ? (
        <>
          <p className="notice good" role="status">
            {rules.composes(
              rules.directions(sides.left, sides.right)[direction] ?? direction,
              String(composition.maxGroupSize ?? 12),
            )}{' '}
            {rules.strategySays[composition.dateStrategy ?? 'none'] ?? ''}
          </p>
          <div className="import-options">
            <Pick
              label={rules.direction}
              value={direction}
              options={Object.entries(rules.directions(sides.left, sides.right))}
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
              hint={rules.sumToleranceHint}
              value={composition.amountTolerance}
              placeholder="0"
              min={0}
              wrong={wrong('amountTolerance')}
              onChange={(value) => set('amountTolerance', value)}
            />
            <NumberInput
              label={rules.tolerancePercent}
              value={composition.amountTolerancePercent}
              placeholder="0"
              min={0}
              max={100}
              wrong={wrong('amountTolerancePercent')}
              onChange={(value) => set('amountTolerancePercent', value)}
            />
            <PathInput
              label={rules.groupBy}
              hint={rules.groupByHint}
              value={composition.groupByField}
              known={members ?? [...new Set([...names.left, ...names.right])]}
              wrong={wrong('groupByField')}
              onChange={(value) => set('groupByField', value)}
            />
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
          <CompositionMore {...part} composition={composition} set={set} />
        </>
      ) : null}
    </section>
  );
}
