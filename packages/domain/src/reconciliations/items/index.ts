export { annotateItem, annotateItems, type ItemSelection } from './annotate';
export { fillItems, sweepUnfilled } from './fill';
export { listOpenItems } from './list';
export {
  openItemSorts,
  type ItemAnnotation,
  type ItemExclusion,
  type OpenItem,
  type OpenItemFilter,
  type OpenItemSort,
  type OpenItemTotals,
  type ShownAnnotations,
} from './types';
