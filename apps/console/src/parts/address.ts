import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

export type Search = Readonly<Record<string, string | undefined>>;

/** The filters of a screen, which live in its address: a link shows another person the same. */
export function useAddress(): { search: Search; setSearch: (changes: Search) => void } {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const setSearch = useCallback(
    (changes: Search) =>
      void navigate({
        to: '.',
        search: (before: Search) => withoutEmpty({ ...before, ...changes }),
        replace: true,
        resetScroll: false,
      } as never),
    [navigate],
  );
  return useMemo(() => ({ search, setSearch }), [search, setSearch]);
}

const withoutEmpty = (search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));

/** The change of the address that removes these parameters. */
export const without = (names: readonly string[]): Search => Object.fromEntries(names.map((name) => [name, undefined]));

interface PathIds {
  id?: string;
  groupId?: string;
}

/** A part of the path, by default the id of the reconciliation. */
export function usePathId(name: keyof PathIds = 'id'): string {
  const ids: PathIds = useParams({ strict: false });
  return ids[name] ?? '';
}
