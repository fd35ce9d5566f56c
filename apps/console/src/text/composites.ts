import { messages } from './messages';
import { inEnglish, inPortuguese, type Count } from './plural';

export const composites = messages(
  {
    why: 'Why these belong together',
    installments: (count: Count, value: string) =>
      `${inEnglish(count, '# installment', '# installments')} of ${value}.`,
    group: (name: string) => `They share the value ${name}, and are all that do.`,
    shared: (name: string) => `They share the value ${name}.`,
    partial: (share: string) => `${share} of the amount so far.`,
    candidates: (count: Count) => inEnglish(count, 'Found among # record.', 'Found among # records.'),
    ended: 'The search ended early: there may be a better group.',
    otherSets: (count: string) => `Other groups that are as good: ${count}.`,
    dates: (inside: string, days: Count) => `${inside} of them within ${inEnglish(days, '# day', '# days')}.`,
    spread: (days: Count) => inEnglish(days, '# day from the first to the last.', '# days from the first to the last.'),
    delta: (delta: string, tolerance: string) => `Off by ${delta}; ${tolerance} is allowed.`,
  },
  {
    why: 'Por que estes vão juntos',
    installments: (count: Count, value: string) => `${inPortuguese(count, '# parcela', '# parcelas')} de ${value}.`,
    group: (name: string) => `Têm em comum o valor ${name}, e são todos os que o têm.`,
    shared: (name: string) => `Têm em comum o valor ${name}.`,
    partial: (share: string) => `${share} do valor até agora.`,
    candidates: (count: Count) =>
      inPortuguese(count, 'Encontrados entre # registro.', 'Encontrados entre # registros.'),
    ended: 'A busca terminou antes do fim: pode haver um grupo melhor.',
    otherSets: (count: string) => `Outros grupos igualmente bons: ${count}.`,
    dates: (inside: string, days: Count) => `${inside} deles dentro de ${inPortuguese(days, '# dia', '# dias')}.`,
    spread: (days: Count) => inPortuguese(days, '# dia do primeiro ao último.', '# dias do primeiro ao último.'),
    delta: (delta: string, tolerance: string) => `Diferença de ${delta}; a tolerância é ${tolerance}.`,
  },
);
