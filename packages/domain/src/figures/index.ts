export { changingMatched, leftRecordsBeside, lockFigures, recountMatched } from './matched';
export { countResults, forgetResults, subtractResults, type ResultKey } from './results';
