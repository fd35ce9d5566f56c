export {
  answerItem,
  createItem,
  deleteItem,
  listItems,
  markAllRemoved,
  updateItem,
  type ItemFilter,
  type ItemMeans,
  type NewItemInput,
} from './items';
export {
  getItem,
  itemConnection,
  itemNotFound,
  itemStatuses,
  type Item,
  type ItemConnection,
  type ItemError,
  type ItemStatus,
} from './item';
export { createIngest, deleteIngest, ingestStatuses, listIngests, type ItemIngest } from './ingests';
export { createItemHandlers, deferItems } from './handlers';
export { defaultItemPolicy, type ItemPolicy } from './policy';
export { parametersPurpose } from './parameters';
export { sweepItems } from './sweep';
