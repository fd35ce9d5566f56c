import { useQuery } from '@tanstack/react-query';
import { tieout, type Schema } from '../api/client';
import { everyPage } from '../api/pages';
import { useAllows } from '../api/session';
import { useText } from '../text';

/** Names the author of an audit entry. The trail knows keys and runs only by their ids. */
export function useActorName(): (actor: Schema<'Actor'>) => string {
  const { activity } = useText();
  const seesKeys = useAllows('keys:read');
  const { data } = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => everyPage((page) => tieout.listApiKeys({ query: { limit: 100, page }, signal })),
    enabled: seesKeys,
  });
  return ({ type, id, label }) =>
    label ??
    data?.items.find((key) => key.id === id)?.label ??
    (type === 'job' ? activity.aRun : id === null ? activity.actorTypes[type] : id);
}
