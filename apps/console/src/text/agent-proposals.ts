import { messages } from './messages';
import { inEnglish, inPortuguese, type Count } from './plural';

export const agentProposals = messages(
  {
    title: 'Agents propose',
    hint: 'Nothing has changed yet: what you confirm is carried out in your name.',
    more: (count: Count) => inEnglish(count, '# waits in all', '# wait in all'),
    by: (agent: string) => `proposed by ${agent}`,
    details: 'Details',
    confirm: 'Confirm',
    reject: 'Reject',
    confirmed: 'The proposal is carried out',
    rejected: 'The proposal is rejected',
    actions: {
      match_group: 'Match records',
      annotation: 'Annotate open items',
      rule_set: 'Create a rule set',
      run: 'Run the rules',
    },
  },
  {
    title: 'Agentes propõem',
    hint: 'Nada mudou ainda: o que você confirma é feito em seu nome.',
    more: (count: Count) => inPortuguese(count, '# aguarda no total', '# aguardam no total'),
    by: (agent: string) => `proposto por ${agent}`,
    details: 'Detalhes',
    confirm: 'Confirmar',
    reject: 'Recusar',
    confirmed: 'A proposta foi executada',
    rejected: 'A proposta foi recusada',
    actions: {
      match_group: 'Conciliar registros',
      annotation: 'Anotar itens em aberto',
      rule_set: 'Criar regras',
      run: 'Executar as regras',
    },
  },
);
