import { Check } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { useText } from '../../text';
import { faultAt, scaleOf, type RulesPart } from './draft';
import { ExpressionInput } from './expression';
import { NumberInput } from './number-input';

/** From which score a pair matches, and what must hold besides. */
export function DecideCard({ draft: { params }, names, faults, setParam }: RulesPart) {
  const { rules } = useText();
  const scale = scaleOf(params);
  const wrong = (name: string): string | undefined => faultAt(faults, `/params/${name}`)?.message;
  const filters = params.filters ?? [];
  return (
    <section className="card rules-card">
      <h2>{rules.decide}</h2>
      <div className="import-options">
        <NumberInput
          label={rules.tMatch}
          value={params.Tmatch}
          min={0}
          max={scale}
          wrong={wrong('Tmatch')}
          onChange={(value) => setParam('Tmatch', value ?? scale)}
        />
        <NumberInput
          label={rules.tPossible}
          value={params.Tpossible}
          min={0}
          max={scale}
          wrong={wrong('Tpossible')}
          onChange={(value) => setParam('Tpossible', value ?? scale)}
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
            fault={faultAt(faults, `/params/filters/${at}`)}
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
