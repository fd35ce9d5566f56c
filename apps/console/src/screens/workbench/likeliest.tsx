import { useCandidates, type CandidateAnswer } from '../../api/open-items';
import { Meter } from '../../parts/record';
import { recordName } from '../../parts/words';
import { Fault } from '../../parts/states';
import { Amount, Day, Words } from '../../parts/values';
import { useFormats, useText } from '../../text';
import type { Selectable, Selection } from './selection';

const shown = 5;
/** Words that a candidate shares with the item; more leave no room for the reason. */
const maxWords = 2;

/** Years and short numbers say nothing to a reader. */
const isTelling = (word: string): boolean => /\p{L}{3}|\d{5}/u.test(word);

/** Records that most likely belong to the item that was selected first. Its place and height are always the same. */
export function Likeliest({
  reconciliationId,
  item,
  selection,
  onChoose,
}: {
  reconciliationId: string;
  item: Selectable | undefined;
  selection: Selection;
  onChoose: (candidate: CandidateAnswer) => void;
}) {
  const { workbench } = useText();
  const formats = useFormats();
  const query = useCandidates(reconciliationId, item?.record_id);
  const candidates = item ? (query.data?.items ?? []).slice(0, shown) : [];
  const name = item ? recordName(item) : '';
  const whyOf = ({ shared_words: words, why }: CandidateAnswer): string =>
    [words.filter(isTelling).slice(0, maxWords).join(' '), workbench.untied[why.code]].filter(Boolean).join(' · ');
  return (
    <section className="likeliest" aria-live="polite" aria-label={workbench.likeliest(name)}>
      {item === undefined ? (
        <p className="soft">{workbench.likeliestHint}</p>
      ) : query.error ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : query.isPending ? (
        <span className="skeleton wide" />
      ) : candidates.length === 0 ? (
        <p className="soft">{workbench.noCandidate}</p>
      ) : (
        <ol>
          {candidates.map((candidate, at) => {
            const [first] = candidate.records;
            const isGroup = candidate.kind === 'group';
            return (
              <li key={candidate.records.map(({ record_id: id }) => id).join()}>
                <button
                  type="button"
                  className="candidate"
                  aria-pressed={candidate.records.every((record) => selection.has(record.record_id))}
                  onClick={() => onChoose(candidate)}
                >
                  <kbd>{at + 1}</kbd>
                  <Meter share={candidate.likeness} label={workbench.likeness(formats.percent(candidate.likeness))} />
                  <span className="cut">
                    {isGroup ? (
                      <strong>{workbench.groupOf(formats.counted(candidate.records.length))}</strong>
                    ) : (
                      <>
                        <strong>
                          <bdi>{first ? recordName(first) : null}</bdi>
                        </strong>{' '}
                        <span className="soft">{first ? <Words of={first} /> : null}</span>
                      </>
                    )}
                  </span>
                  <span className="soft cut why" title={whyOf(candidate)}>
                    <bdi>{whyOf(candidate)}</bdi>
                  </span>
                  <span className="soft day">{isGroup ? null : <Day of={first?.date ?? null} />}</span>
                  <span className="amount">
                    {isGroup ? null : (
                      <Amount of={first?.remaining_amount ?? null} currency={first?.currency ?? null} />
                    )}
                  </span>
                  <span className="amount">
                    {candidate.difference === null || Number(candidate.difference) === 0 ? null : (
                      <span className="badge warn">
                        {workbench.differs(formats.amount(candidate.difference, first?.currency))}
                      </span>
                    )}
                  </span>
                </button>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
