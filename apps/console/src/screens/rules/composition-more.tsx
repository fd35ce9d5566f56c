import type { CompositionForm } from '../../api/rules';
import { Check } from '../../parts/form';
import { useSideNames } from '../../parts/sides';
import { useText } from '../../text';
import { faultAt, idOf, withParam, type RulesPart } from './draft';
import { firstNames, KeyRows } from './key-rows';
import { NumberInput } from './number-input';
import { PathInput } from './path-input';

interface MoreProps extends RulesPart {
  composition: CompositionForm;
  set: <K extends keyof CompositionForm>(name: K, value: CompositionForm[K] | undefined) => void;
}

/** The parts that few compositions need: incomplete sums, installments, equal values, evidence, other fields. */
export function CompositionMore(props: MoreProps) {
  const { rules } = useText();
  const { composition, set } = props;
  return (
    <>
      <Partial {...props} />
      <Installments {...props} />
      <EqualValues {...props} />
      <Evidence {...props} />
      <details className="by-ids">
        <summary>{rules.moreComposition}</summary>
        <div className="form">
          <OtherFields {...props} />
          <Check
            label={rules.preferComplete}
            isOn={composition.preferCompleteGroup ?? true}
            onChange={(isOn) => set('preferCompleteGroup', isOn)}
          />
          <Check
            label={rules.skipMatched}
            isOn={composition.skipAlreadyMatched ?? true}
            onChange={(isOn) => set('skipAlreadyMatched', isOn)}
          />
        </div>
      </details>
    </>
  );
}

const wrongIn = ({ faults }: Pick<MoreProps, 'faults'>, name: string): string | undefined =>
  faultAt(faults, `/params/composition/${name}`)?.message;

function Partial(props: MoreProps) {
  const { rules } = useText();
  const partial = props.composition.partial ?? {};
  const number = (name: 'minMembers' | 'minCompletionRatio' | 'uniformityRatio', placeholder: string) => (
    <NumberInput
      {...rules.partialFields[name]}
      value={partial[name]}
      placeholder={placeholder}
      min={0}
      wrong={wrongIn(props, `partial/${name}`)}
      onChange={(value) => props.set('partial', withParam(partial, name, value))}
    />
  );
  return (
    <>
      <Check
        label={rules.partial}
        isOn={partial.enabled ?? false}
        onChange={(enabled) => props.set('partial', { ...partial, enabled })}
      />
      {partial.enabled ? (
        <div className="import-options">
          {number('minMembers', '2')}
          {number('minCompletionRatio', '0.5')}
          {number('uniformityRatio', '0')}
        </div>
      ) : null}
    </>
  );
}

function Installments(props: MoreProps) {
  const { rules } = useText();
  const { composition, names, set } = props;
  const discovery = composition.installmentDiscovery ?? {};
  const known = [...new Set([...names.left, ...names.right])];
  const number = (name: 'maxDivisor' | 'divisorTolerance', placeholder: string) => (
    <NumberInput
      {...rules.installmentFields[name]}
      value={discovery[name]}
      placeholder={placeholder}
      min={0}
      wrong={wrongIn(props, `installmentDiscovery/${name}`)}
      onChange={(value) => set('installmentDiscovery', withParam(discovery, name, value))}
    />
  );
  const field = (name: 'totalCountField' | 'unitValueField') => (
    <PathInput
      {...rules.installmentFields[name]}
      value={discovery[name]}
      known={known}
      wrong={wrongIn(props, `installmentDiscovery/${name}`)}
      onChange={(value) => set('installmentDiscovery', withParam(discovery, name, value))}
    />
  );
  return (
    <>
      <Check
        label={rules.installments}
        isOn={discovery.enabled ?? false}
        onChange={(enabled) => set('installmentDiscovery', { ...discovery, enabled })}
      />
      {discovery.enabled ? (
        <div className="import-options">
          {number('maxDivisor', '24')}
          {number('divisorTolerance', '0.05')}
          {field('totalCountField')}
          {field('unitValueField')}
        </div>
      ) : null}
    </>
  );
}

/** Fields that are equal for the sum and each of its members. */
function EqualValues(props: MoreProps) {
  const { rules } = useText();
  const sides = useSideNames();
  const { composition, names, set } = props;
  const keys = composition.matchKeys ?? [];
  return (
    <KeyRows
      title={rules.matchKeys}
      keys={keys}
      added={firstNames(names)}
      onChange={(next) => set('matchKeys', next)}
      input={({ key, place, side, change }) => (
        <PathInput
          key={side}
          label={sides[side]}
          value={key[side]}
          known={names[side]}
          wrong={wrongIn(props, `matchKeys/${place}/${side}`)}
          onChange={(path) => change({ ...key, [side]: path })}
        />
      )}
    />
  );
}

/** Matchers that speak for a member. */
function Evidence(props: MoreProps) {
  const { rules } = useText();
  const {
    composition: { evidence },
    draft,
    set,
  } = props;
  const matchers = draft.params.matchers ?? [];
  if (matchers.length === 0) return null;
  const chosen = evidence?.matchers ?? [];
  const toggle = (id: string, isOn: boolean): void => {
    const next = isOn ? [...chosen, id] : chosen.filter((one) => one !== id);
    set('evidence', next.length === 0 ? undefined : { ...evidence, matchers: next });
  };
  return (
    <fieldset className="scopes">
      <legend>{rules.evidence}</legend>
      <p className="soft">{rules.evidenceHint}</p>
      {matchers.map((matcher, at) => {
        const id = idOf(matcher, at);
        return (
          <Check key={id} label={matcher.name ?? id} isOn={chosen.includes(id)} onChange={(isOn) => toggle(id, isOn)} />
        );
      })}
      {evidence ? (
        <>
          <Check
            label={rules.evidenceRequired}
            isOn={evidence.required ?? false}
            onChange={(required) => set('evidence', { ...evidence, required })}
          />
          <NumberInput
            label={rules.evidenceWeight}
            value={evidence.weight}
            placeholder="0"
            min={0}
            max={1}
            wrong={wrongIn(props, 'evidence/weight')}
            onChange={(weight) => set('evidence', withParam(evidence, 'weight', weight))}
          />
        </>
      ) : null}
    </fieldset>
  );
}

function OtherFields(props: MoreProps) {
  const { rules } = useText();
  const sides = useSideNames();
  const { composition, names, set } = props;
  const fields = [
    ['amountField', rules.amountField, [...new Set([...names.left, ...names.right])]],
    ['dateFieldLeft', rules.dateKey(sides.left), names.left],
    ['dateFieldRight', rules.dateKey(sides.right), names.right],
  ] as const;
  return (
    <div className="import-options">
      {fields.map(([name, label, known]) => (
        <PathInput
          key={name}
          label={label}
          hint={rules.fieldOfBlocking}
          value={composition[name]}
          known={known}
          wrong={wrongIn(props, name)}
          onChange={(value) => set(name, value)}
        />
      ))}
    </div>
  );
}
