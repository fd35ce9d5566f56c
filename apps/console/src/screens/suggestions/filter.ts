import type { ProposalQuery } from '../../api/proposals';
import { filter, kinds, type Filters } from '../../parts/read-filters';
import type { Formats, Texts } from '../../text';

const decisions = ['MATCH', 'POSSIBLE'] as const;
const proposalKinds = ['pair', 'composite'] as const;

/** Decimals of a score in a chip: it must not look like another one. */
const maxDecimals = 20;

/** The filters of the screen. */
export const filtersOf = ({ suggestions: texts }: Texts, formats: Formats): Filters<ProposalQuery> => ({
  decision: filter({
    label: texts.decisionLabel,
    kind: kinds.oneOf(decisions),
    ask: (decision) => ({ decision }),
    shown: (decision) => texts.decision[decision],
  }),
  kind: filter({
    label: texts.kindLabel,
    kind: kinds.oneOf(proposalKinds),
    ask: (kind) => ({ kind }),
    shown: (kind) => texts.kind[kind],
  }),
  minScore: filter({
    label: texts.minScore,
    kind: kinds.number,
    ask: (minScore) => ({ minScore }),
    chip: (minScore) => texts.scoreChip(formats.number(minScore, maxDecimals)),
  }),
});
