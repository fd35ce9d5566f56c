-- New words wait in a list, which a search reads whole and the statement that fills it sorts into the index: at the 4 MB of the default, one match
-- by hand in two thousand took half a second for all.
ALTER INDEX "reconciliation_items_search_idx" SET (gin_pending_list_limit = 256);
