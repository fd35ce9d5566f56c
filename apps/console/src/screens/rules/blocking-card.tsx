import type { BlockingForm } from '../../api/rules';
import { Check, Field } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { useFormats, useText } from '../../text';
import { faultAt, withParam, type RulesPart } from './draft';
import { ExpressionInput } from './expression';
import { NumberInput } from './number-input';

/** Chooses the pairs that are compared at all, in a form that says in words what it comes to. */
export function BlockingCard({ draft: { params }, names, faults, setParam }: RulesPart) {
  const { rules, frame } = useText();
  const formats = useFormats();
  const blocking = params.blocking ?? {};
  const isOn = params.blocking !== undefined && blocking.enabled !== false;
  const set = <K extends keyof BlockingForm>(name: K, value: BlockingForm[K] | undefined): void =>
    setParam('blocking', withParam(blocking, name, value));
  const keys = blocking.keys ?? [];
  const days = blocking.dateToleranceDays ?? params.windowDays;
  const percent = blocking.amountTolerancePercent ?? params.amountTolerancePercent;
  const says = [
    ...(days === undefined ? [] : [rules.says.days(formats.number(days))]),
    ...(percent === undefined ? [] : [rules.says.amount(formats.number(percent))]),
    ...(keys.length === 0 ? [] : [rules.says.keys(formats.count(keys.length))]),
  ];
  const fieldInput = (
    name: 'amountKey' | 'dateKey',
    side: 'Left' | 'Right',
    label: string,
    known: readonly string[],
  ) => (
    <Field label={label}>
      <input
        className="input mono"
        list={`names-${side}`}
        value={blocking[`${name}${side}`] ?? blocking[name] ?? ''}
        onChange={(event) => set(`${name}${side}`, event.target.value)}
      />
      <datalist id={`names-${side}`}>
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </Field>
  );
  return (
    <section className="card rules-card">
      <div>
        <h2>{rules.blocking}</h2>
        <p className="soft">{rules.blockingHint}</p>
      </div>
      <Check
        label={rules.blockingOn}
        isOn={isOn}
        onChange={(on) => setParam('blocking', { ...blocking, enabled: on })}
      />
      {!isOn ? (
        <p className="notice">{rules.blockingOff}</p>
      ) : (
        <>
          {says.length > 0 ? (
            <p className="notice good" role="status">
              {rules.says.all} {says.join(' ')}
            </p>
          ) : null}
          <div className="import-options">
            {fieldInput('amountKey', 'Left', rules.amountKey(frame.left), names.left)}
            {fieldInput('amountKey', 'Right', rules.amountKey(frame.right), names.right)}
            <NumberInput
              label={rules.tolerancePercent}
              value={blocking.amountTolerancePercent}
              placeholder={String(params.amountTolerancePercent ?? rules.any)}
              min={0}
              max={100}
              wrong={faultAt(faults, '/params/blocking/amountTolerancePercent')?.message}
              onChange={(value) => set('amountTolerancePercent', value)}
            />
            {fieldInput('dateKey', 'Left', rules.dateKey(frame.left), names.left)}
            {fieldInput('dateKey', 'Right', rules.dateKey(frame.right), names.right)}
            <NumberInput
              label={rules.windowDays}
              value={blocking.dateToleranceDays}
              placeholder={String(params.windowDays ?? rules.any)}
              min={0}
              step={1}
              wrong={faultAt(faults, '/params/blocking/dateToleranceDays')?.message}
              onChange={(value) => set('dateToleranceDays', value)}
            />
          </div>
          {blocking.rules ? (
            <p className="soft">{rules.rulesKept(formats.count(blocking.rules.length))}</p>
          ) : (
            <>
              <h3>{rules.sameKeys}</h3>
              {keys.map((key, at) => (
                <div key={at} className="key-row">
                  {(['left', 'right'] as const).map((side) => (
                    <ExpressionInput
                      key={side}
                      label={side === 'left' ? rules.leftExpression : rules.rightExpression}
                      value={key[side] ?? key.expr ?? ''}
                      names={names}
                      fault={faultAt(faults, `/params/blocking/keys/${at}/${side}`)}
                      onChange={(text) =>
                        set(
                          'keys',
                          keys.map((one, i) => {
                            if (i !== at) return one;
                            const { expr = '', ...rest } = one;
                            return { left: expr, right: expr, ...rest, [side]: text };
                          }),
                        )
                      }
                    />
                  ))}
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`${rules.remove}: ${rules.sameKeys} ${at + 1}`}
                    onClick={() => set('keys', keys.length === 1 ? undefined : keys.filter((_, i) => i !== at))}
                  >
                    <Icon name="close" />
                  </button>
                </div>
              ))}
              <button
                type="button"
                className="button"
                onClick={() => set('keys', [...keys, { left: names.left[0] ?? 'id', right: names.right[0] ?? 'id' }])}
              >
                {rules.addKey}
              </button>
            </>
          )}
        </>
      )}
    </section>
  );
}
