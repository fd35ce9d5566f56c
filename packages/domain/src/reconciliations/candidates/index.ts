export { candidatesOf, type ItemCandidate, type PassVerdict } from './candidates';
export { refusals, type RefusalReason } from './refusals';
