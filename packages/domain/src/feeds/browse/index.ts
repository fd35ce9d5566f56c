export { createBrowse, type Browse, type BrowsePage, type BrowseQuery, type OfItem } from './browse';
