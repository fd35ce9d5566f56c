import { useQuery } from '@tanstack/react-query';
import { goToProvider, readSignInMethods } from '../api/session';
import { useText } from '../text';

/** The way in by the identity provider, where the deployment has one. */
export function ProviderSignIn() {
  const { signIn: texts } = useText();
  const { data } = useQuery({ queryKey: ['sign-in-methods'], queryFn: readSignInMethods, staleTime: Infinity });
  const provider = data?.provider;
  if (!provider) return null;
  return (
    <button type="button" className="button primary" onClick={() => goToProvider(provider.begin)}>
      {texts.byProvider(provider.name)}
    </button>
  );
}
