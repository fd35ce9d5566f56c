import { Check } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { useFormats, useText } from '../../text';
import { faultAt, type RulesPart, type ThresholdFault } from './draft';
import { ExpressionInput } from './expression';
import { NumberInput } from './number-input';

interface DecideCardProps extends RulesPart {
  /** The greatest score. */
  scale: 1 | 100;
  thresholds: Partial<Record<'Tmatch' | 'Tpossible', ThresholdFault>>;
}

const givenOf = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** From which score a pair matches, and what must hold besides. */
export function DecideCard({
  draft: { params },
  names,
  faults,
  failures,
  setParam,
  scale,
  thresholds,
}: DecideCardProps) {
  const { rules } = useText();
  const formats = useFormats();
  const rangeOf = scale === 1 ? rules.fromTo : rules.aboveTo;
  const says = {
    Tmatch: { range: rangeOf(formats.number(scale === 1 ? 0 : 1), formats.number(scale)), order: undefined },
    Tpossible: {
      range: rules.fromTo(formats.number(0), formats.number(scale)),
      order: rules.atMost(rules.tMatch, formats.number(params.Tmatch)),
    },
  };
  const faultOf = (name: 'Tmatch' | 'Tpossible'): string | undefined => {
    const fault = thresholds[name];
    return fault && says[name][fault];
  };
  const filters = params.filters ?? [];
  return (
    <section className="card rules-card">
      <h2>{rules.decide}</h2>
      <div className="import-options">
        <NumberInput
          label={rules.tMatch}
          value={givenOf(params.Tmatch)}
          min={0}
          max={scale}
          wrong={faultOf('Tmatch')}
          onChange={(value) => setParam('Tmatch', value ?? NaN)}
        />
        <NumberInput
          label={rules.tPossible}
          value={givenOf(params.Tpossible)}
          min={0}
          max={scale}
          wrong={faultOf('Tpossible')}
          onChange={(value) => setParam('Tpossible', value ?? NaN)}
        />
        <NumberInput
          label={rules.tolerance}
          value={params.amountTolerance}
          placeholder={rules.any}
          min={0}
          onChange={(value) => setParam('amountTolerance', value)}
        />
        <NumberInput
          label={rules.tolerancePercent}
          value={params.amountTolerancePercent}
          placeholder={rules.any}
          min={0}
          max={100}
          onChange={(value) => setParam('amountTolerancePercent', value)}
        />
        <NumberInput
          label={rules.windowDays}
          value={params.windowDays}
          placeholder={rules.any}
          min={0}
          step={1}
          onChange={(value) => setParam('windowDays', value)}
        />
      </div>
      <Check
        label={rules.opposite}
        isOn={params.amountSign === 'opposite'}
        onChange={(isOn) => setParam('amountSign', isOn ? 'opposite' : 'same')}
      />
      <h3>{rules.filters}</h3>
      {filters.map((filter, at) => (
        <div key={at} className="filter-row">
          <ExpressionInput
            isBare
            label={`${rules.filters} ${at + 1}`}
            value={filter}
            names={names}
            of="pair"
            fault={faultAt(faults, `/params/filters/${at}`)}
            failure={failures.get(`filters/${at}`)}
            onChange={(text) =>
              setParam(
                'filters',
                filters.map((one, i) => (i === at ? text : one)),
              )
            }
          />
          <button
            type="button"
            className="icon-button"
            aria-label={`${rules.remove}: ${rules.filters} ${at + 1}`}
            onClick={() =>
              setParam(
                'filters',
                filters.filter((_, i) => i !== at),
              )
            }
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" className="button" onClick={() => setParam('filters', [...filters, 'true'])}>
        {rules.addFilter}
      </button>
    </section>
  );
}
