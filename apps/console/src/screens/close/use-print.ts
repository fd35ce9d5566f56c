import { useEffect, useState } from 'react';
import { itemsOf } from '../../api/pages';
import { useToasts } from '../../parts/toasts';
import type { useEndItems } from './open-at-end';

/** More items are no report that a person reads, and take a browser long to lay out. */
const maxPrinted = 5_000;

export interface Printing {
  isBusy: boolean;
  print: () => void;
}

/** Prints the page once the items that belong on it are there: all of a month, up to a bound. */
export function usePrint(items: ReturnType<typeof useEndItems>): Printing {
  const toasts = useToasts();
  const [isAsked, setAsked] = useState(false);
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage } = items;
  const isShort = hasNextPage && itemsOf(data).length < maxPrinted;
  useEffect(() => {
    if (!isAsked || isPending || isFetching) return;
    if (isShort && error === null) return void fetchNextPage();
    setAsked(false);
    if (error === null) window.print();
    else toasts.fail(error);
  }, [isAsked, isPending, isFetching, isShort, error, fetchNextPage, toasts]);
  const print = (): void => {
    // A page that could not be read the last time is asked for again.
    if (error !== null) void fetchNextPage();
    setAsked(true);
  };
  return { isBusy: isAsked, print };
}
