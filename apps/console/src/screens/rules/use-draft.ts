import { useEffect, useState } from 'react';
import { queryClient } from '../../api/client';
import type { PassRules, RulesDraft } from '../../api/rules';
import { draftOf, isSame } from './draft';

/** Rules as they are typed, and the stored ones that they began from. */
interface KeptDraft {
  base: PassRules;
  draft: RulesDraft;
}

export interface Draft extends KeptDraft {
  isChanged: boolean;
  /** Somebody has stored other rules since the draft was begun. */
  isOvertaken: boolean;
  set: (change: (before: RulesDraft) => RulesDraft) => void;
  /** Begins again from stored rules, with what has been typed since `sent` was. */
  begin: (from: PassRules, sent?: RulesDraft) => void;
}

const freshOf = (base: PassRules): KeptDraft => ({ base, draft: draftOf(base) });
const keyOf = ({ id }: PassRules) => ['rules-draft', id];

// A draft stays until it is saved or given up, however long its screen is left.
queryClient.setQueryDefaults(['rules-draft'], { gcTime: Infinity });

// A draft is gone with the page, whatever screen is open when the page is left.
window.addEventListener('beforeunload', (event) => {
  if (queryClient.getQueryCache().findAll({ queryKey: ['rules-draft'] }).length > 0) event.preventDefault();
});

/** The draft of a pass, which is kept while other screens are open, and whatever others store meanwhile. */
export function useDraft(pass: PassRules): Draft {
  const [kept, setKept] = useState(() => queryClient.getQueryData<KeptDraft>(keyOf(pass)) ?? freshOf(pass));
  const { base, draft } = kept;
  const isChanged = !isSame(draft, draftOf(base));
  const isNewer = pass.version > base.version;
  if (isNewer && (!isChanged || isSame(draft, draftOf(pass)))) setKept(freshOf(pass));
  useEffect(() => {
    if (isChanged) queryClient.setQueryData(keyOf(base), kept);
    else queryClient.removeQueries({ queryKey: keyOf(base), exact: true });
  }, [isChanged, kept, base]);
  return {
    base,
    draft,
    isChanged,
    isOvertaken: isNewer && isChanged,
    set: (change) => setKept((before) => ({ ...before, draft: change(before.draft) })),
    begin: (from, sent) =>
      setKept((before) =>
        sent === undefined || isSame(before.draft, sent) ? freshOf(from) : { base: from, draft: before.draft },
      ),
  };
}
