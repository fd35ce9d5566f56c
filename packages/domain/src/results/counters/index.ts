export { changingMatched, leftRecordsBeside, lockFigures, recountMatched, takeMatched } from './matched';
export { countResults, forgetResults, subtractResults, type ResultKey } from './results';
