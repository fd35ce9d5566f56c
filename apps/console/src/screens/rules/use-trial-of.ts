import { useEffect, useState } from 'react';
import type { PassRules, RulesDraft } from '../../api/rules';
import { tryRules, useTrial, type TriedRules, type TrialSize } from '../../api/simulations';
import { useSession } from '../../api/session';
import { useAction } from '../../parts/action';
import { draftOf, isSame } from './draft';

/** The rules that a trial was asked about, and its id. */
interface AskedTrial {
  id: string;
  draft: RulesDraft;
}

export interface TrialOf {
  answer: TriedRules | null;
  /** The rules that the answer is about. */
  asked: RulesDraft | null;
  /** 0..1 while it runs. */
  progress: number | null;
  error: unknown;
  /** The rules have changed since in more than their thresholds. */
  isOld: boolean;
  isBusy: boolean;
  ask: (size: TrialSize) => void;
}

const withoutThresholds = ({ params: { Tmatch: _match, Tpossible: _possible, ...params }, ...draft }: RulesDraft) => ({
  ...draft,
  name: '',
  params,
});

/**
 * Tells what the rules of a pass would change. The saved rules are tried on a sample as the screen opens; one who comes
 * back within ten minutes finds the same answer.
 */
export function useTrialOf(pass: PassRules, draft: RulesDraft, isAllowed: boolean): TrialOf {
  const [asked, setAsked] = useState<AskedTrial | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { isBusy, run } = useAction();
  const { me } = useSession();
  const caller = me?.user?.id ?? me?.key?.id ?? '';
  useEffect(() => {
    if (!isAllowed) return;
    const saved = draftOf(pass);
    const key = ['try', pass.id, pass.version, caller, Math.floor(Date.now() / 600_000)].join('-');
    let isGone = false;
    tryRules(saved, pass, 'sample', key).then(
      ({ id }) => isGone || setAsked((before) => before ?? { id, draft: saved }),
      (error: unknown) => isGone || setFailure(error),
    );
    return () => void (isGone = true);
  }, [pass, isAllowed, caller]);
  const query = useTrial(asked?.id ?? null);
  const { data } = query;
  const isRunning = data !== undefined && (data.status === 'queued' || data.status === 'running');
  return {
    answer: data?.answer ?? null,
    asked: asked?.draft ?? null,
    progress: isRunning ? data.progress : null,
    error: failure ?? query.error ?? (data?.error ? new Error(data.error.message) : null),
    isOld:
      asked !== null && !isSame(withoutThresholds(asked.draft) as RulesDraft, withoutThresholds(draft) as RulesDraft),
    isBusy: isBusy || isRunning,
    ask: (size) =>
      void run(async () => {
        setFailure(null);
        const { id } = await tryRules(draft, pass, size);
        setAsked({ id, draft });
        return undefined;
      }),
  };
}
