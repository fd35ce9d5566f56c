import { useRivals, type ProposalAnswer } from '../../api/proposals';
import { Amount } from '../../parts/values';
import { Waterfall } from '../../parts/waterfall';
import { recordNames } from '../../parts/words';
import { useFormats, useText } from '../../text';
import { Records } from './evidence';

/** Names the first records of one side. */
export const namesOf = ({ records }: Pick<ProposalAnswer, 'records'>, side: 'left' | 'right'): string =>
  recordNames(records.filter((record) => record.side === side));

/** Lists other proposals for the same records: a decision about this one also decides about them. */
function Rivals({
  reconciliationId,
  proposal,
  onOpen,
}: {
  reconciliationId: string;
  proposal: ProposalAnswer;
  onOpen: (id: string) => void;
}) {
  const { suggestions } = useText();
  const formats = useFormats();
  const [first, second] = proposal.records;
  const ofFirst = useRivals(reconciliationId, first?.record_id);
  const ofSecond = useRivals(reconciliationId, proposal.kind === 'pair' ? second?.record_id : undefined);
  const found = new Map(
    [...(ofFirst.data?.items ?? []), ...(ofSecond.data?.items ?? [])]
      .filter(({ id }) => id !== proposal.id)
      .map((rival) => [rival.id, rival]),
  );
  const rivals = [...found.values()].sort((a, b) => b.score - a.score);
  return (
    <section className="rivals">
      <h3>{suggestions.rivals}</h3>
      {rivals.length === 0 ? (
        <p className="soft">{suggestions.noRivals}</p>
      ) : (
        <ul>
          {rivals.map((rival) => (
            <li key={rival.id}>
              <button type="button" className="rival" onClick={() => onOpen(rival.id)}>
                <strong className="figures">{formats.score(rival.score)}</strong>
                <bdi className="cut">
                  {namesOf(rival, 'left')} ↔ {namesOf(rival, 'right')}
                </bdi>
                <Amount of={rival.records[0]?.remaining_amount ?? null} currency={rival.records[0]?.currency ?? null} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Everything that speaks for a proposal, and against it. */
export function Detail({
  reconciliationId,
  proposal,
  place,
  onOpen,
}: {
  reconciliationId: string;
  proposal: ProposalAnswer;
  place: string;
  onOpen: (id: string) => void;
}) {
  const { suggestions } = useText();
  const formats = useFormats();
  const { decision, score, difference, records } = proposal;
  const currency = records[0]?.currency ?? null;
  const isTied = difference !== null && Number(difference) === 0;
  return (
    <article className="detail" aria-live="polite">
      <header className="columns">
        <div>
          <h2>
            <bdi>{namesOf(proposal, 'left')}</bdi> ↔ <bdi>{namesOf(proposal, 'right')}</bdi>
          </h2>
          <p className="soft">
            {place} · <bdi>{proposal.rule_set_name}</bdi>
          </p>
        </div>
        <dl className="facts">
          <div>
            <dt>{suggestions.score}</dt>
            <dd>
              <strong className="figures">{formats.score(score)}</strong>{' '}
              <span className={decision === 'MATCH' ? 'badge good' : 'badge'}>{suggestions.decision[decision]}</span>
            </dd>
          </div>
          <div>
            <dt>{suggestions.difference}</dt>
            <dd className={isTied ? 'good' : undefined}>
              <Amount of={difference} currency={currency} showsCode />
            </dd>
          </div>
        </dl>
      </header>
      {proposal.kind === 'composite' ? <Waterfall explanation={proposal.explanation} /> : null}
      <Records proposal={proposal} />
      {proposal.kind === 'pair' ? <Waterfall explanation={proposal.explanation} /> : null}
      <Rivals reconciliationId={reconciliationId} proposal={proposal} onOpen={onOpen} />
    </article>
  );
}
