export { getMatch, listMatches, type Match, type MatchFilter } from './matches';
