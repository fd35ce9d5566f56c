import { levenshteinSimilarity } from '../expression/functions/similarity';

const maxNear = 3;
const minSimilarity = 0.4;
/** A name is left out when it is much less similar to the field than the best one. */
const maxSimilarityGap = 0.3;

/** Returns the names that are written most like a field, best first. */
export function nearNames(field: string, names: readonly string[]): string[] {
  const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const own = plain(field);
  const likeness = (name: string): number => {
    const other = plain(name);
    const isPart = own !== '' && other !== '' && (own.includes(other) || other.includes(own));
    return Math.max(levenshteinSimilarity(own, other), isPart ? minSimilarity : 0);
  };
  const likely = names.map((name) => ({ name, like: likeness(name) }));
  const minLike = Math.max(minSimilarity, ...likely.map(({ like }) => like - maxSimilarityGap));
  return likely
    .filter(({ like }) => like >= minLike)
    .sort((one, other) => other.like - one.like || (one.name < other.name ? -1 : 1))
    .slice(0, maxNear)
    .map(({ name }) => name);
}
