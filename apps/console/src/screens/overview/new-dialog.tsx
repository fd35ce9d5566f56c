import { useNavigate } from '@tanstack/react-router';
import { useAllDatasets } from '../../api/imports';
import { makeReconciliation } from '../../api/new-reconciliation';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Field, textIn } from '../../parts/form';
import { Loaded } from '../../parts/states';
import { useText } from '../../text';

/** Makes a reconciliation of two datasets, and leads to its rules. */
export function NewDialog({ onClose }: { onClose: () => void }) {
  const { overview } = useText();
  const navigate = useNavigate();
  const datasets = useAllDatasets();
  const { isBusy, run } = useAction();
  const submit = (form: FormData): void => {
    const wanted = {
      name: textIn(form, 'name'),
      leftDatasetId: textIn(form, 'left'),
      rightDatasetId: textIn(form, 'right'),
    };
    void run(async () => {
      const { id, isLearnt } = await makeReconciliation(wanted);
      onClose();
      void navigate({ to: '/reconciliations/$id/rules', params: { id } } as never);
      return isLearnt ? overview.made : overview.madePlain;
    });
  };
  return (
    <Confirm title={overview.create} submitLabel={overview.create} isBusy={isBusy} onClose={onClose} onSubmit={submit}>
      <p className="soft">{overview.createHint}</p>
      <Field label={overview.name}>
        <input className="input" name="name" required maxLength={200} autoFocus autoComplete="off" />
      </Field>
      <Loaded query={datasets}>
        {({ items }) => (
          <>
            {(['left', 'right'] as const).map((side) => (
              <Field key={side} label={overview.sides[side]}>
                <select className="input" name={side} required defaultValue="">
                  <option value="" disabled>
                    {overview.choose}
                  </option>
                  {items.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </Field>
            ))}
            {items.length === 0 ? <p className="notice">{overview.noDatasets}</p> : null}
          </>
        )}
      </Loaded>
      {isBusy ? (
        <p role="status" className="soft">
          {overview.learning}
        </p>
      ) : null}
    </Confirm>
  );
}
