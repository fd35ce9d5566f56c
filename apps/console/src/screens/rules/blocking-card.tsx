import type { BlockingRuleForm } from '../../api/rules';
import { Check, Field } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { useText } from '../../text';
import { asConditions, asWays, withoutWay, type BlockingConditions } from './blocking';
import { Conditions } from './conditions';
import { withParam, type RulesPart } from './draft';

const maxWays = 8;
const pointer = '/params/blocking';

/** Chooses the pairs that are compared at all: by one set of conditions, or by any of several. */
export function BlockingCard({ draft: { params }, names, faults, setParam }: RulesPart) {
  const { rules } = useText();
  const blocking = params.blocking ?? {};
  const isOn = params.blocking !== undefined && blocking.enabled !== false;
  const { rules: ways, enabled, ...conditions } = blocking;
  const setConditions = (next: BlockingConditions): void =>
    setParam('blocking', { ...(enabled === undefined ? {} : { enabled }), ...next });
  const setWay = (at: number, next: BlockingRuleForm): void =>
    setParam('blocking', { ...blocking, rules: (ways ?? []).map((one, place) => (place === at ? next : one)) });
  const addWay = (): void => {
    const before = ways === undefined ? asWays(blocking, rules.wayName(1)) : blocking;
    const added = { name: rules.wayName((before.rules?.length ?? 0) + 1), dateToleranceDays: 0 };
    setParam('blocking', { ...before, rules: [...(before.rules ?? []), added] });
  };
  const part = { params, names, faults };
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
      ) : ways === undefined ? (
        <Conditions {...part} at={pointer} value={conditions} onChange={setConditions} />
      ) : (
        <>
          <p className="soft">{rules.waysHint}</p>
          {ways.map((way, at) => {
            const { name, ...own } = way;
            const title = name ?? rules.wayName(at + 1);
            return (
              <fieldset key={at} className="way">
                <legend>
                  <bdi>{title}</bdi>
                </legend>
                <div className="filter-row">
                  <Field label={rules.name}>
                    <input
                      className="input"
                      value={name ?? ''}
                      maxLength={100}
                      placeholder={rules.wayName(at + 1)}
                      onChange={(event) => setWay(at, withParam(way, 'name', event.target.value))}
                    />
                  </Field>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`${rules.remove}: ${title}`}
                    onClick={() => setParam('blocking', withoutWay(blocking, at))}
                  >
                    <Icon name="close" />
                  </button>
                </div>
                <Conditions
                  {...part}
                  at={`${pointer}/rules/${at}`}
                  value={own}
                  inherited={conditions}
                  onChange={(next) => setWay(at, { ...(name === undefined ? {} : { name }), ...next })}
                />
              </fieldset>
            );
          })}
        </>
      )}
      {isOn ? (
        <div className="row">
          {(ways?.length ?? 0) < maxWays ? (
            <button type="button" className="button" onClick={addWay}>
              {rules.addWay}
            </button>
          ) : null}
          {ways?.length === 1 ? (
            <button type="button" className="button" onClick={() => setParam('blocking', asConditions(blocking))}>
              {rules.oneWay}
            </button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}
