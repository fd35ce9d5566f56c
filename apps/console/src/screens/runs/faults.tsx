import { useQuery } from '@tanstack/react-query';
import { tieout } from '../../api/client';
import type { Run } from '../../api/reconciliations';
import { useSideNames } from '../../parts/sides';
import { Warned } from '../../parts/warned';
import { useFormats, useText } from '../../text';
import { plainText } from '../../text/refusal';

/** The name of a record of which only the id is known. */
function RecordName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['record', id],
    queryFn: ({ signal }) => tieout.getRecord({ path: { id }, signal }),
    staleTime: 60_000,
  });
  return (
    <span title={id}>
      <bdi>{data === undefined ? id : `${data.dataset_name} ${data.external_id ?? id}`}</bdi>
    </span>
  );
}

const shownErrors = 20;

/** Lists what a run could not do, and what it says about its data. */
export function Faults({ run }: { run: Run }) {
  const texts = useText();
  const { runs } = texts;
  const sides = useSideNames();
  const formats = useFormats();
  const warnings = run.rule_sets.flatMap((pass) =>
    pass.warnings.map((warning) => ({ ...warning, pass: pass.rule_set_name })),
  );
  const unblocked = (['left', 'right'] as const).filter((side) => run.unblocked[side].count > 0);
  return (
    <>
      {run.errors.length > 0 ? (
        <section className="block">
          <h3>{runs.errors}</h3>
          <p className="soft">{runs.errorsHint}</p>
          <ul className="faults">
            {run.errors.slice(0, shownErrors).map((error, at) => (
              <li key={at}>
                <p>{error.message === undefined ? error.code : plainText(error.message, texts)}</p>
                <p className="soft">
                  {error.left_record_id ? <RecordName id={error.left_record_id} /> : null}
                  {error.left_record_id && error.right_record_id ? ' – ' : null}
                  {error.right_record_id ? <RecordName id={error.right_record_id} /> : null}
                </p>
                {error.expression ? <code className="mono">{error.expression}</code> : null}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {warnings.length + unblocked.length > 0 ? (
        <section className="block">
          <h3>{runs.warnings}</h3>
          <ul className="faults">
            {warnings.map(({ pass, code, message }, at) => (
              <li key={at}>
                <p>
                  <bdi>{pass}</bdi>: <Warned code={code} message={message} />
                </p>
              </li>
            ))}
            {unblocked.map((side) => (
              <li key={side}>{runs.unblocked(formats.counted(run.unblocked[side].count), sides[side])}</li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
