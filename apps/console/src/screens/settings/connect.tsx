import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { tieout, type Schema } from '../../api/client';
import { useAllDatasets } from '../../api/imports';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Field, Pick, textIn, typedIn } from '../../parts/form';
import { Loaded } from '../../parts/states';
import { useText } from '../../text';

type Connector = Schema<'Connector'>;
type Item = Schema<'Item'>;

export const useConnectors = () =>
  useQuery({
    queryKey: ['connectors'],
    queryFn: ({ signal }) => tieout.listConnectors({ signal }),
    staleTime: 300_000,
  });

/** The inputs that the login of a connector needs. */
function LoginFields({ connector }: { connector: Connector }) {
  return connector.parameters.map(({ name, label, required, secret }) => (
    <Field key={`${connector.id} ${name}`} label={label}>
      <input
        className="input"
        name={`parameter.${name}`}
        type={secret ? 'password' : 'text'}
        required={required}
        autoComplete="off"
      />
    </Field>
  ));
}

function loginOf(form: FormData, connector: Connector): Record<string, string> {
  const given = connector.parameters.map(({ name, secret }) => {
    const field = `parameter.${name}`;
    return [name, secret ? typedIn(form, field) : textIn(form, field)] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** The dataset that the transactions of a connection fill. */
function DatasetField({ isRequired = false }: { isRequired?: boolean }) {
  const { settings } = useText();
  const datasets = useAllDatasets();
  const hint = isRequired ? settings.connections.newDataset : settings.connections.datasetHint;
  return (
    <Field label={settings.connections.dataset} hint={hint}>
      <input
        className="input"
        name="dataset"
        list="connect-datasets"
        required={isRequired}
        maxLength={200}
        autoComplete="off"
      />
      <datalist id="connect-datasets">
        {datasets.data?.items.map((one) => (
          <option key={one.id} value={one.name} />
        ))}
      </datalist>
    </Field>
  );
}

/** Shows the form that connects a bank and names the dataset of its transactions. */
export function Connect({ onClose }: { onClose: () => void }) {
  const { settings } = useText();
  const { isBusy, run } = useAction(['items']);
  const [id, setId] = useState<string | null>(null);
  const query = useConnectors();
  const connectors = query.data?.items ?? [];
  const connector = connectors.find((one) => one.id === id) ?? connectors[0];
  // A bank whose dataset was refused is connected already.
  const made = useRef({ login: '', itemId: '' });
  const submit = (form: FormData): void => {
    if (connector === undefined) return;
    const parameters = loginOf(form, connector);
    const login = JSON.stringify([connector.id, parameters]);
    const dataset = textIn(form, 'dataset');
    void run(async () => {
      if (made.current.login !== login) {
        const { id: itemId } = await tieout.createItem({ body: { connectorId: connector.id, parameters } });
        made.current = { login, itemId };
      }
      if (dataset !== '') await tieout.ingestItem({ path: { id: made.current.itemId }, body: { dataset } });
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
            {connector ? <LoginFields connector={connector} /> : null}
          </>
        )}
      </Loaded>
      <DatasetField />
    </Confirm>
  );
}

interface OfItemProps {
  item: Item;
  title: string;
  onClose: () => void;
}

/** Shows the form that names a dataset for the transactions of a connection. */
export function Fill({ item, title, onClose }: OfItemProps) {
  const { settings } = useText();
  const { isBusy, run } = useAction(['items']);
  const submit = (form: FormData): void => {
    void run(async () => {
      await tieout.ingestItem({ path: { id: item.id }, body: { dataset: textIn(form, 'dataset') } });
      return settings.connections.filling;
    }).then((done) => done && onClose());
  };
  return (
    <Confirm title={title} submitLabel={settings.connections.fill} isBusy={isBusy} onClose={onClose} onSubmit={submit}>
      <DatasetField isRequired />
    </Confirm>
  );
}

/** Shows the form that logs in again at a bank which has refused the login. */
export function LogInAgain({ item, title, connector, onClose }: OfItemProps & { connector: Connector }) {
  const { settings } = useText();
  const { isBusy, run } = useAction(['items']);
  const submit = (form: FormData): void => {
    void run(async () => {
      await tieout.updateItem({ path: { id: item.id }, body: { parameters: loginOf(form, connector) } });
      return settings.connections.synced;
    }).then((done) => done && onClose());
  };
  return (
    <Confirm title={title} submitLabel={settings.connections.logIn} isBusy={isBusy} onClose={onClose} onSubmit={submit}>
      <LoginFields connector={connector} />
    </Confirm>
  );
}
