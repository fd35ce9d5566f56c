export { updateMatchedCounts, affectedLeftRecords, lockCounters, recountMatched, adoptMatchedCount } from './matched';
export { addResultCounts, deleteResultCounts, subtractResultCounts, type ResultKey } from './results';
