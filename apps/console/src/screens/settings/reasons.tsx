import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tieout } from '../../api/client';
import { reasonsQuery } from '../../api/runs';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Field, textIn } from '../../parts/form';
import { useReasonName } from '../../parts/reasons';
import { Loaded } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { useText } from '../../text';
import { CreateButton } from './create-button';

/** The reasons that people give for adjustments, exclusions and releases. */
export function Reasons() {
  const { settings } = useText();
  const mayChange = useAllows('reconciliations:write');
  const nameOf = useReasonName();
  const [asks, setAsks] = useState<{ removes?: string } | null>(null);
  const { isBusy, run } = useAction(reasonsQuery.queryKey);
  const query = useQuery(reasonsQuery);
  const close = (done: boolean): void => {
    if (done) setAsks(null);
  };
  const add = (form: FormData): void =>
    void run(async () => {
      await tieout.createReasonCode({ body: { code: textIn(form, 'code'), label: textIn(form, 'label') } });
      return settings.reasons.added;
    }).then(close);
  const remove = (code: string): void =>
    void run(async () => {
      await tieout.deleteReasonCode({ path: { code } });
      return settings.reasons.removed;
    }).then(close);
  const removes = asks?.removes;
  return (
    <Loaded query={query}>
      {({ items }) => (
        <div className="block">
          <CreateButton
            label={settings.reasons.create}
            isAllowed={mayChange}
            act="reasons"
            onPress={() => setAsks({})}
          />
          <TableFrame label={settings.parts.reasons} className="card">
            <table className="plain-table">
              <thead>
                <tr>
                  <th scope="col">{settings.reasons.label}</th>
                  <th scope="col">{settings.reasons.code}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {items.map(({ code, built_in: isBuiltIn }) => (
                  <tr key={code}>
                    <td>
                      <bdi>{nameOf(code)}</bdi>
                    </td>
                    <td className="mono">{code}</td>
                    <td>
                      {isBuiltIn ? (
                        <span className="badge">{settings.reasons.builtIn}</span>
                      ) : mayChange ? (
                        <button type="button" className="button danger" onClick={() => setAsks({ removes: code })}>
                          {settings.remove}
                        </button>
                      ) : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
          {asks === null ? null : removes === undefined ? (
            <Confirm
              title={settings.reasons.create}
              submitLabel={settings.reasons.create}
              isBusy={isBusy}
              onClose={() => setAsks(null)}
              onSubmit={add}
            >
              <Field label={settings.reasons.label}>
                <input className="input" name="label" required maxLength={200} autoFocus />
              </Field>
              <Field label={settings.reasons.code} hint={settings.reasons.codeHint}>
                <input className="input mono" name="code" required maxLength={50} pattern="[a-z][a-z0-9_]*" />
              </Field>
            </Confirm>
          ) : (
            <Confirm
              title={`${settings.remove}: ${nameOf(removes)}`}
              submitLabel={settings.remove}
              isDanger
              isBusy={isBusy}
              onClose={() => setAsks(null)}
              onSubmit={() => remove(removes)}
            >
              <p>{settings.reasons.removeHint}</p>
            </Confirm>
          )}
        </div>
      )}
    </Loaded>
  );
}
