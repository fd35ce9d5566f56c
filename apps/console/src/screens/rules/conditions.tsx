import type { BlockingRuleForm, PlacedFault, RuleParams } from '../../api/rules';
import { Check } from '../../parts/form';
import { useSideNames } from '../../parts/sides';
import { useFormats, useText } from '../../text';
import { saysOf, type BlockingConditions } from './blocking';
import { faultAt, withParam } from './draft';
import { ExpressionInput } from './expression';
import { firstNames, KeyRows } from './key-rows';
import type { KnownNames } from './language';
import { NumberInput } from './number-input';
import { PathInput } from './path-input';

interface ConditionsProps {
  value: BlockingConditions;
  /** The keys of amount and date that hold where the conditions name none. */
  inherited?: BlockingConditions;
  params: RuleParams;
  names: KnownNames;
  faults: readonly PlacedFault[];
  /** The pointer to the conditions. */
  at: string;
  onChange: (value: BlockingConditions) => void;
}

/** Edits one set of blocking conditions, and explains in words which pairs it lets through. */
export function Conditions({ value, inherited = {}, params, names, faults, at, onChange }: ConditionsProps) {
  const { rules } = useText();
  const formats = useFormats();
  const sides = useSideNames();
  const set = <K extends keyof BlockingConditions>(name: K, next: BlockingConditions[K] | undefined): void =>
    onChange(withParam(value, name, next));
  const says = saysOf(value, params, { texts: rules.says, formats });
  const wrong = (name: string): string | undefined => faultAt(faults, `${at}/${name}`)?.message;
  const number = (
    name: NumberName,
    label: string,
    more: { placeholder?: string; hint?: string; step?: number } = {},
  ) => (
    <NumberInput
      label={label}
      value={value[name]}
      wrong={wrong(name)}
      onChange={(next) => set(name, next)}
      {...(name.startsWith('dateFrom') || name.startsWith('dateTo') ? {} : { min: 0 })}
      {...more}
    />
  );
  const key = (name: 'amountKey' | 'dateKey', side: 'Left' | 'Right', label: string) => (
    <PathInput
      label={label}
      value={value[`${name}${side}`] ?? value[name]}
      known={side === 'Left' ? names.left : names.right}
      placeholder={inherited[`${name}${side}`] ?? inherited[name] ?? ''}
      wrong={wrong(`${name}${side}`) ?? wrong(name)}
      onChange={(next) => set(`${name}${side}`, next)}
    />
  );
  return (
    <>
      {says.length > 0 ? (
        <p className="notice good" role="status">
          {says.length > 1 ? `${rules.says.all} ` : ''}
          {says.join(' ')}
        </p>
      ) : null}
      <div className="import-options">
        {key('amountKey', 'Left', rules.amountKey(sides.left))}
        {key('amountKey', 'Right', rules.amountKey(sides.right))}
        {number('amountTolerance', rules.tolerance, { placeholder: String(params.amountTolerance ?? rules.any) })}
        {number('amountTolerancePercent', rules.tolerancePercent, {
          placeholder: String(params.amountTolerancePercent ?? rules.any),
        })}
        {key('dateKey', 'Left', rules.dateKey(sides.left))}
        {key('dateKey', 'Right', rules.dateKey(sides.right))}
        {number('dateToleranceDays', rules.windowDays, {
          placeholder: String(params.windowDays ?? rules.any),
          step: 1,
        })}
      </div>
      <details className="by-ids">
        <summary>{rules.moreConditions}</summary>
        <div className="import-options">
          {number('dateFromDays', rules.dateFromDays, { hint: rules.dateFromHint, step: 1 })}
          {number('dateToDays', rules.dateToDays, { hint: rules.dateToHint, step: 1 })}
          {number('amountBucketSize', rules.bucketSize, { placeholder: '1', hint: rules.bucketHint })}
          {number('amountBucketWindow', rules.bucketWindow, { placeholder: '1', step: 1 })}
        </div>
      </details>
      <Keys {...{ value, names, faults, at, set }} />
      <SimilarTexts {...{ value, names, faults, at, set }} />
    </>
  );
}

type NumberName = {
  [K in keyof BlockingRuleForm]-?: number extends NonNullable<BlockingRuleForm[K]> ? K : never;
}[keyof BlockingRuleForm];

interface PartProps extends Pick<ConditionsProps, 'value' | 'names' | 'faults' | 'at'> {
  set: <K extends keyof BlockingConditions>(name: K, next: BlockingConditions[K] | undefined) => void;
}

/** Values that are equal on both sides. */
function Keys({ value: { keys = [] }, names, faults, at, set }: PartProps) {
  const { rules } = useText();
  const sides = useSideNames();
  return (
    <KeyRows<(typeof keys)[number]>
      title={rules.sameKeys}
      hint={rules.keysHint}
      keys={keys}
      added={firstNames(names)}
      onChange={(next) => set('keys', next)}
      input={({ key, place, side, change }) => (
        <ExpressionInput
          key={side}
          label={sides[side]}
          of={side}
          value={key[side] ?? key.expr ?? ''}
          names={names}
          fault={faultAt(faults, `${at}/keys/${place}/${side}`) ?? faultAt(faults, `${at}/keys/${place}/expr`)}
          onChange={(text) => {
            const { expr = '', ...rest } = key;
            change({ left: expr, right: expr, ...rest, [side]: text });
          }}
        />
      )}
    />
  );
}

/** The most similar texts of each side. */
function SimilarTexts({ value: { text }, names, faults, at, set }: PartProps) {
  const { rules } = useText();
  const sides = useSideNames();
  const change = (next: Partial<NonNullable<typeof text>>): void => {
    if (text) set('text', { ...text, ...next });
  };
  const wrong = (name: string): string | undefined => faultAt(faults, `${at}/text/${name}`)?.message;
  return (
    <>
      <Check
        label={rules.similarTexts}
        isOn={text !== undefined}
        onChange={(isOn) => set('text', isOn ? firstNames(names) : undefined)}
      />
      {text ? (
        <>
          <div className="key-row">
            {(['left', 'right'] as const).map((side) => (
              <ExpressionInput
                key={side}
                label={sides[side]}
                of={side}
                value={text[side]}
                names={names}
                fault={faultAt(faults, `${at}/text/${side}`)}
                onChange={(next) => change({ [side]: next })}
              />
            ))}
          </div>
          <div className="import-options">
            <NumberInput
              label={rules.textTop}
              hint={rules.textTopHint}
              value={text.top}
              placeholder="15"
              min={1}
              max={50}
              step={1}
              wrong={wrong('top')}
              onChange={(top) => set('text', withParam(text, 'top', top))}
            />
            <NumberInput
              label={rules.textShare}
              hint={rules.textShareHint}
              value={text.maxDocumentShare}
              placeholder="0.1"
              min={0}
              max={1}
              wrong={wrong('maxDocumentShare')}
              onChange={(share) => set('text', withParam(text, 'maxDocumentShare', share))}
            />
          </div>
        </>
      ) : null}
    </>
  );
}
