import type { MatcherRule, PlacedFault } from '../../api/rules';
import { Check } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { useFormats, useText } from '../../text';
import { faultAt, idOf, type RulesPart } from './draft';
import { ExpressionInput } from './expression';
import type { FailureCount } from './failures';
import type { KnownNames } from './language';

interface MatchersCardProps extends RulesPart {
  setExpression: (expression: string | null) => void;
}

/** Shows the parts of a score: weighted matchers, or one expression. */
export function MatchersCard({ draft, names, faults, failures, setParam, setExpression }: MatchersCardProps) {
  const { rules } = useText();
  const isBatch = draft.engine === 'jsonata-batch';
  const matchers = draft.params.matchers ?? [];
  const set = (next: readonly MatcherRule[]): void => setParam('matchers', [...next]);
  const maxWeight = Math.max(10, ...matchers.map(({ weight = 1 }) => Math.ceil(weight)));
  return (
    <section className="card rules-card">
      <div>
        <h2>{rules.matchers}</h2>
        {isBatch ? <p className="soft">{rules.matchersHint}</p> : null}
      </div>
      {isBatch ? (
        <ol className="matchers">
          {matchers.map((matcher, at) => (
            <li key={idOf(matcher, at)}>
              <Matcher
                matcher={matcher}
                id={idOf(matcher, at)}
                names={names}
                maxWeight={maxWeight}
                fault={faultAt(faults, `/params/matchers/${at}/expr`)}
                failure={failures.get(idOf(matcher, at))}
                onChange={(changes) => set(matchers.map((one, i) => (i === at ? { ...one, ...changes } : one)))}
                onRemove={() => set(matchers.filter((_, i) => i !== at))}
              />
            </li>
          ))}
        </ol>
      ) : null}
      {isBatch ? (
        <button
          type="button"
          className="button"
          onClick={() =>
            set([
              ...matchers,
              { id: unusedId(matchers), name: rules.matcherName, expr: 'left.id = right.id', weight: 1 },
            ])
          }
        >
          {rules.addMatcher}
        </button>
      ) : (
        <ExpressionInput
          label={rules.expression}
          hint={rules.expressionHint}
          value={draft.jsonataExpr ?? ''}
          names={names}
          of="pair"
          fault={faultAt(faults, '/jsonataExpr')}
          failure={failures.get('jsonataExpr')}
          onChange={setExpression}
        />
      )}
      {isBatch && draft.jsonataExpr !== null ? (
        <ExpressionInput
          label={rules.gate}
          value={draft.jsonataExpr}
          names={names}
          of="pair"
          fault={faultAt(faults, '/jsonataExpr')}
          failure={failures.get('jsonataExpr')}
          onChange={(text) => setExpression(text.trim() === '' ? null : text)}
        />
      ) : null}
    </section>
  );
}

interface MatcherProps {
  matcher: MatcherRule;
  id: string;
  names: KnownNames;
  maxWeight: number;
  fault: PlacedFault | undefined;
  failure: FailureCount | undefined;
  onChange: (changes: Partial<MatcherRule>) => void;
  onRemove: () => void;
}

function Matcher({ matcher, id, names, maxWeight, fault, failure, onChange, onRemove }: MatcherProps) {
  const { rules } = useText();
  const formats = useFormats();
  const { name = id, weight = 1, required = false, expr } = matcher;
  return (
    <div className="matcher">
      <div className="matcher-head">
        <input
          className="input matcher-name"
          aria-label={`${rules.matcherName}: ${id}`}
          value={name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <Check label={rules.required} isOn={required} onChange={(isOn) => onChange({ required: isOn })} />
        <button type="button" className="icon-button" aria-label={`${rules.remove}: ${name}`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </div>
      <label className="weight">
        <span className="soft">{rules.weight}</span>
        <input
          type="range"
          aria-label={`${rules.weight}: ${name}`}
          min={0}
          max={maxWeight}
          step={0.1}
          value={weight}
          onChange={(event) => onChange({ weight: Number(event.target.value) })}
        />
        <span className="figures">{formats.number(weight)}</span>
      </label>
      <ExpressionInput
        isBare
        of="pair"
        label={`${rules.expression}: ${name}`}
        value={expr}
        names={names}
        fault={fault}
        failure={failure}
        onChange={(text) => onChange({ expr: text })}
      />
    </div>
  );
}

function unusedId(matchers: readonly MatcherRule[]): string {
  const ids = new Set(matchers.map(idOf));
  for (let at = matchers.length + 1; ; at++) if (!ids.has(`m${at}`)) return `m${at}`;
}
