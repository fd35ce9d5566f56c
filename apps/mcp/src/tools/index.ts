import type { Tool } from '../tool';
import { report } from './report';
import { explainMatch, getRun, simulateRuleChange } from './rules';
import {
  describeWorkspace,
  listCandidates,
  listMatchGroups,
  listProposals,
  searchOpenItems,
  summary,
} from './workspace';
import { annotate, draftRuleSet, proposeMatchGroup, run } from './writes';

export const tools: readonly Tool[] = [
  describeWorkspace,
  summary,
  searchOpenItems,
  listCandidates,
  explainMatch,
  listMatchGroups,
  report,
  simulateRuleChange,
  proposeMatchGroup,
  annotate,
  draftRuleSet,
  run,
  getRun,
  listProposals,
];
