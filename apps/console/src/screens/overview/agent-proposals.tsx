import {
  agentProposalsKey,
  confirmProposal,
  rejectProposal,
  useAgentProposals,
  type AgentProposalAnswer,
} from '../../api/agent-proposals';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';

/** The scope without which a person decides on no such proposal. */
const scopes = {
  match_group: 'matches:write',
  annotation: 'reconciliations:write',
  rule_set: 'rule-sets:write',
  run: 'reconciliations:write',
} as const;

function Decision({ proposal }: { proposal: AgentProposalAnswer }) {
  const { agentProposals } = useText();
  const { isBusy, run } = useAction(agentProposalsKey, ['reconciliation'], ['rule-sets']);
  const { id } = proposal;
  const confirm = async (): Promise<string> => {
    await confirmProposal(id);
    return agentProposals.confirmed;
  };
  const reject = async (): Promise<string> => {
    await rejectProposal(id);
    return agentProposals.rejected;
  };
  return (
    <p className="columns">
      <button type="button" className="button primary" disabled={isBusy} onClick={() => void run(confirm)}>
        {agentProposals.confirm}
      </button>
      <button type="button" className="button" disabled={isBusy} onClick={() => void run(reject)}>
        {agentProposals.reject}
      </button>
    </p>
  );
}

function Proposal({ proposal }: { proposal: AgentProposalAnswer }) {
  const { agentProposals } = useText();
  const mayDecide = useAllows(scopes[proposal.action]);
  const { label, id } = proposal.proposed_by;
  return (
    <li className="block">
      <p>
        <strong>{agentProposals.actions[proposal.action]}</strong> <bdi>{proposal.reason}</bdi>
      </p>
      <p className="soft">
        <bdi>{agentProposals.by(label ?? id ?? '')}</bdi> <Moment of={proposal.created_at} />
      </p>
      <details>
        <summary>{agentProposals.details}</summary>
        <pre className="mono">
          <bdi>{JSON.stringify(proposal.input, null, 2)}</bdi>
        </pre>
      </details>
      {mayDecide ? <Decision proposal={proposal} /> : null}
    </li>
  );
}

/** Shows the proposals of agents; absent where none waits. */
export function AgentProposals() {
  const { agentProposals } = useText();
  const formats = useFormats();
  const allowed = [
    useAllows('reconciliations:read'),
    useAllows('records:read'),
    useAllows('matches:read'),
    useAllows('rule-sets:read'),
  ];
  const { data } = useAgentProposals(allowed.every(Boolean));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section className="card block" aria-label={agentProposals.title}>
      <h2>{agentProposals.title}</h2>
      <p className="soft">{agentProposals.hint}</p>
      <ul>
        {data.items.map((proposal) => (
          <Proposal key={proposal.id} proposal={proposal} />
        ))}
      </ul>
      {data.total > data.items.length ? (
        <p className="soft">{agentProposals.more(formats.counted(data.total))}</p>
      ) : null}
    </section>
  );
}
