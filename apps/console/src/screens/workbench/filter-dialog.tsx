import { useAddress } from '../../parts/address';
import { Confirm } from '../../parts/confirm';
import { Field, textIn } from '../../parts/form';
import { useText } from '../../text';

const filterNames = ['amountMin', 'amountMax', 'dateFrom', 'dateTo', 'minAgeDays'] as const;

const typeOf = { amountMin: 'number', amountMax: 'number', dateFrom: 'date', dateTo: 'date', minAgeDays: 'number' };

/** The filters that hold for both sides. */
export function FilterDialog({ onClose }: { onClose: () => void }) {
  const { workbench } = useText();
  const { search, setSearch } = useAddress();
  const apply = (form: FormData): void => {
    setSearch(Object.fromEntries([...filterNames, 'suggested'].map((name) => [name, textIn(form, name)])));
    onClose();
  };
  return (
    <Confirm
      title={workbench.filterTitle}
      submitLabel={workbench.apply}
      isBusy={false}
      onClose={onClose}
      onSubmit={apply}
    >
      <div className="form-grid">
        {filterNames.map((name) => (
          <Field key={name} label={workbench[name]}>
            <input
              className="input"
              name={name}
              type={typeOf[name]}
              step={name === 'minAgeDays' ? 1 : 'any'}
              min={name === 'minAgeDays' ? 0 : undefined}
              defaultValue={search[name] ?? ''}
            />
          </Field>
        ))}
        <label className="check">
          <input name="suggested" type="checkbox" value="true" defaultChecked={search['suggested'] === 'true'} />
          <span>{workbench.suggestedOnly}</span>
        </label>
      </div>
    </Confirm>
  );
}
