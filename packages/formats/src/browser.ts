// The parts that the console shares: they run in a browser too.
export { uniqueKeyFor } from './fields/slug';
export { csvRow, guarded, quoted } from './tables/text-cell';
