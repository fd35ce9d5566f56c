import type { CompiledRuleSet, Side } from '@tieout/engine';
import { leftOutWarnings, type LeftOutRecords } from '../../data/records';
import { warningsOf, type AbsentField, type ResultWarning } from '../jobs/warnings';
import type { HeldSide } from './held-side';
import type { TrialAnswer } from './types';

interface WarningFacts {
  compiled: CompiledRuleSet;
  sides: Record<Side, HeldSide>;
  answer: Omit<TrialAnswer, 'warnings'>;
  absentFields: readonly AbsentField[];
  failedFilters: number;
  leftOut: LeftOutRecords;
  /** Results that people decided on. */
  reviewed: number;
  /** True if the records have neighbouring values. */
  isBlock: boolean;
  /** True if scores below Tpossible are known. */
  areLowKnown: boolean;
}

/** Returns the warnings about a trial: those a job would give, and those about what a trial cannot know. */
export function trialWarnings(facts: WarningFacts): ResultWarning[] {
  const { compiled, sides, answer } = facts;
  const { engine, params } = compiled.definition;
  const { blocking = {}, composition, filters = [] } = params;
  const composes = composition?.enabled === true;
  const { MATCH, POSSIBLE, ERROR, COMPOSITE_MATCH, COMPOSITE_POSSIBLE } = answer.decisionCounts;
  const { left } = answer.records;
  const ofJob = warningsOf({
    records: { left: sides.left.plan.ready, right: sides.right.plan.ready },
    unblocked: answer.unblocked,
    filtered: { left: sides.left.plan.filtered, right: sides.right.plan.filtered },
    failedFilters: facts.failedFilters,
    pairs: answer.pairs,
    matches: MATCH,
    isOneToOne: params.assignment === 'one_to_one',
    failedPairs: ERROR - facts.failedFilters,
    failedEvaluations: 0,
    relationError: null,
    searchEnded: answer.composites?.searchEnded ?? 0,
    absentFields: facts.absentFields,
    ignoresExpression:
      composes && engine === 'jsonata' && filters.length === 0 && (composition.matchKeys ?? []).length === 0,
    blockingKeys: [
      ...Object.keys(blocking),
      ...(blocking.rules ?? []).flatMap((rule) => Object.keys(rule)),
      ...(params.windowDays === undefined ? [] : ['windowDays']),
    ],
    kept: MATCH + POSSIBLE + COMPOSITE_MATCH + COMPOSITE_POSSIBLE + answer.possibleCut + facts.reviewed,
    errors: answer.errors,
  });
  const isSampled = left.read < left.total;
  return [
    ...leftOutWarnings(facts.leftOut),
    // A small sample may lack pairs by chance.
    ...ofJob.filter(({ code }) => !isSampled || code !== 'no_candidates'),
    ...(isSampled ? [sampled(facts, params.assignment === 'one_to_one')] : []),
    ...(isSampled && compiled.listed?.rules.some(({ text }) => text !== null) ? [sampledTexts] : []),
    ...(composes && answer.composites === null ? [isSampled ? sampledGroups : longSearch] : []),
    ...(facts.areLowKnown ? [] : [lowUnknown]),
  ];
}

function sampled({ answer, isBlock }: WarningFacts, isOneToOne: boolean): ResultWarning {
  const { left } = answer.records;
  if (isBlock) {
    const message =
      `Counts are of ${left.read} of ${left.total} left records with neighbouring amounts or days and of right ones ` +
      'near to these: the answer of more records follows';
    return { code: 'sampled', message };
  }
  return {
    code: 'sampled',
    message:
      `Counts are of ${left.read} of ${left.total} left records with all their candidates` +
      (isOneToOne ? ', and a right record may have a better partner among the others' : '') +
      ': set sample.records higher, or narrow blocking where it lets many pairs through',
  };
}

const sampledTexts: ResultWarning = {
  code: 'sampled_texts',
  message:
    'Only left records of the sample looked for similar texts; in a job right records look for them too, among all ' +
    'left records: set sample.records to the number of left records',
};

const sampledGroups: ResultWarning = {
  code: 'composition_not_simulated',
  message:
    'Groups of params.composition were not searched: a sample lacks some of their members. Set sample.records to the ' +
    'number of left records',
};

const longSearch: ResultWarning = {
  code: 'composition_not_simulated',
  message:
    'The search for groups of params.composition takes too long for a simulation. A dateStrategy, matchKeys, a ' +
    'groupByField or a smaller maxGroupSize leaves fewer groups to look through; a job searches all of them',
};

const lowUnknown: ResultWarning = {
  code: 'low_scores_unknown',
  message:
    'Expressions failed on some pairs: see errors. Until they are fixed, pairs below Tpossible have no score here',
};
