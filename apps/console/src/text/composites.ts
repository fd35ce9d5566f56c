import { messages } from './messages';

export const composites = messages(
  {
    why: 'Why these belong together',
    installments: (count: string, value: string) => `${count} installments of ${value}.`,
    group: (name: string) => `They share the value ${name}, and are all that do.`,
    shared: (name: string) => `They share the value ${name}.`,
    partial: (share: string) => `${share} of the amount so far.`,
    candidates: (count: string) => `Found among ${count} records.`,
    ended: 'The search ended early: there may be a better group.',
    otherSets: (count: string) => `Other groups that are as good: ${count}.`,
    dates: (inside: string, days: string) => `${inside} of them within ${days} days.`,
    spread: (days: string) => `${days} days from the first to the last.`,
    delta: (delta: string, tolerance: string) => `Off by ${delta}; ${tolerance} is allowed.`,
  },
  {
    why: 'Por que estes vão juntos',
    installments: (count: string, value: string) => `${count} parcelas de ${value}.`,
    group: (name: string) => `Têm em comum o valor ${name}, e são todos os que o têm.`,
    shared: (name: string) => `Têm em comum o valor ${name}.`,
    partial: (share: string) => `${share} do valor até agora.`,
    candidates: (count: string) => `Encontrados entre ${count} registros.`,
    ended: 'A busca terminou antes do fim: pode haver um grupo melhor.',
    otherSets: (count: string) => `Outros grupos igualmente bons: ${count}.`,
    dates: (inside: string, days: string) => `${inside} deles dentro de ${days} dias.`,
    spread: (days: string) => `${days} dias do primeiro ao último.`,
    delta: (delta: string, tolerance: string) => `Diferença de ${delta}; a tolerância é ${tolerance}.`,
  },
);
