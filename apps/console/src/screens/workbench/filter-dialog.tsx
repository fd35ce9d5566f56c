import { useAddress } from '../../parts/address';
import { Dialog, DialogActions } from '../../parts/dialog';
import { useText } from '../../text';

export const filterNames = ['amountMin', 'amountMax', 'dateFrom', 'dateTo', 'minAgeDays'] as const;

const typeOf = { amountMin: 'number', amountMax: 'number', dateFrom: 'date', dateTo: 'date', minAgeDays: 'number' };

/** The filters that hold for both sides. */
export function FilterDialog({ onClose }: { onClose: () => void }) {
  const { workbench } = useText();
  const { search, setSearch } = useAddress();
  const apply = (form: FormData): void => {
    const given = (name: string): string | undefined => {
      const value = form.get(name);
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    setSearch({
      ...Object.fromEntries(filterNames.map((name) => [name, given(name)])),
      suggested: given('suggested'),
    });
    onClose();
  };
  return (
    <Dialog title={workbench.filterTitle} onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          apply(new FormData(event.currentTarget));
        }}
      >
        <div className="form-grid">
          {filterNames.map((name) => (
            <label key={name} className="field">
              <span>{workbench[name]}</span>
              <input
                className="input"
                name={name}
                type={typeOf[name]}
                step={name === 'minAgeDays' ? 1 : 'any'}
                min={name === 'minAgeDays' ? 0 : undefined}
                defaultValue={search[name] ?? ''}
              />
            </label>
          ))}
          <label className="check">
            <input name="suggested" type="checkbox" value="true" defaultChecked={search['suggested'] === 'true'} />
            <span>{workbench.suggestedOnly}</span>
          </label>
        </div>
        <DialogActions onClose={onClose}>
          <button type="submit" className="button primary">
            {workbench.apply}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
