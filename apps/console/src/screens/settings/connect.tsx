import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tieout } from '../../api/client';
import { useAllDatasets } from '../../api/imports';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Field, Pick, textIn, typedIn } from '../../parts/form';
import { Loaded } from '../../parts/states';
import { useText } from '../../text';

/** Shows the form that connects a bank and names the dataset of its transactions. */
export function Connect({ onClose }: { onClose: () => void }) {
  const { settings } = useText();
  const { isBusy, run } = useAction(['items']);
  const [id, setId] = useState<string | null>(null);
  const query = useQuery({
    queryKey: ['connectors'],
    queryFn: ({ signal }) => tieout.listConnectors({ signal }),
    staleTime: 300_000,
  });
  const datasets = useAllDatasets();
  const connectors = query.data?.items ?? [];
  const connector = connectors.find((one) => one.id === id) ?? connectors[0];
  const submit = (form: FormData): void => {
    if (connector === undefined) return;
    const given = connector.parameters.map(({ name, secret }) => {
      const field = `parameter.${name}`;
      return [name, secret ? typedIn(form, field) : textIn(form, field)] as const;
    });
    const parameters = Object.fromEntries(given.filter(([, value]) => value !== ''));
    const dataset = textIn(form, 'dataset');
    void run(async () => {
      const item = await tieout.createItem({ body: { connectorId: connector.id, parameters } });
      if (dataset !== '') await tieout.ingestItem({ path: { id: item.id }, body: { dataset } });
      return settings.connections.connected;
    }).then((done) => done && onClose());
  };
  return (
    <Confirm
      title={settings.connections.connect}
      submitLabel={settings.connections.connect}
      isBusy={isBusy || connector === undefined}
      onClose={onClose}
      onSubmit={submit}
    >
      <Loaded query={query}>
        {() => (
          <>
            <Pick
              label={settings.connections.bank}
              value={connector?.id ?? ''}
              options={connectors.map((one) => [one.id, one.name] as const)}
              onPick={setId}
            />
            {connector?.parameters.map(({ name, label, required, secret }) => (
              <Field key={`${connector.id} ${name}`} label={label}>
                <input
                  className="input"
                  name={`parameter.${name}`}
                  type={secret ? 'password' : 'text'}
                  required={required}
                  autoComplete="off"
                />
              </Field>
            ))}
          </>
        )}
      </Loaded>
      <Field label={settings.connections.dataset} hint={settings.connections.datasetHint}>
        <input className="input" name="dataset" list="connect-datasets" maxLength={200} autoComplete="off" />
        <datalist id="connect-datasets">
          {datasets.data?.items.map((one) => (
            <option key={one.id} value={one.name} />
          ))}
        </datalist>
      </Field>
    </Confirm>
  );
}
