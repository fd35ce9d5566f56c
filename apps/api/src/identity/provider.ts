import { AppError, ConfigError, messageOf, type Logger } from '@tieout/infra';

/** The OpenID provider that identifies people, as the operator has configured it. */
export interface IdentitySettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name by which people know it. */
  name: string;
}

/** The secrets that a browser has to bring back from the provider. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

/** The reasons why the provider does not identify a person. */
export type SignInFailure = 'refused' | 'unverified' | 'failed';

export class SignInRefused extends Error {
  constructor(
    readonly reason: SignInFailure,
    message: string,
  ) {
    super(message);
  }
}

export interface IdentityProvider {
  name: string;
  /** Returns the address at which a person signs in, and the secrets that the browser keeps until it comes back. */
  begin(redirectUri: string): Promise<{ url: URL; pending: PendingSignIn }>;
  /** Returns the verified email of the person who comes back to a url. @throws SignInRefused */
  finish(url: URL, pending: PendingSignIn): Promise<string>;
}

interface OidcEnvironment {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_NAME: string;
}

const isLocal = ({ hostname }: URL): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Reads the settings of the provider; null where there is none. @throws ConfigError */
export function identitySettingsOf(env: OidcEnvironment): IdentitySettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return null;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    throw new ConfigError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are set together, or none of them');
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal(url))))
    throw new ConfigError('OIDC_ISSUER must be an address with https:, or with http: on this machine');
  return { issuer, clientId, clientSecret, name };
}

const timeoutSeconds = 10;
const scope = 'openid email';

// The library is an ES module, which is loaded only where a provider is set.
const loadLibrary = () => import('openid-client');
type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Discovered = Awaited<ReturnType<Library['discovery']>>;

/** Opens the provider. Its metadata is read at the first sign-in: the service starts even if the provider is down. */
export function openIdentityProvider(settings: IdentitySettings, logger: Logger): IdentityProvider {
  let discovered: Promise<Discovered> | undefined;
  const discover = async (library: Library): Promise<Discovered> => {
    const issuer = new URL(settings.issuer);
    const execute = issuer.protocol === 'http:' ? [library.allowInsecureRequests] : [];
    const { clientId, clientSecret } = settings;
    return library.discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: timeoutSeconds });
  };
  const open = async (): Promise<{ library: Library; provider: Discovered }> => {
    const library = await loadLibrary();
    discovered ??= discover(library);
    try {
      return { library, provider: await discovered };
    } catch (error) {
      // The next sign-in tries again.
      discovered = undefined;
      logger.error({ err: error, issuer: settings.issuer }, 'the identity provider cannot be read');
      throw new AppError('service_unavailable', `${settings.name} cannot be reached: try again later`);
    }
  };
  return {
    name: settings.name,
    begin: async (redirectUri) => {
      const { library, provider } = await open();
      const pending = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      });
      return { url, pending };
    },
    finish: async (url, { state, nonce, verifier }) => {
      const { library, provider } = await open();
      try {
        const tokens = await library.authorizationCodeGrant(provider, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        // Some providers give the email at the userinfo endpoint only.
        const person =
          claims === undefined || claims['email'] !== undefined
            ? claims
            : await library.fetchUserInfo(provider, tokens.access_token, claims.sub);
        return verifiedEmail(person ?? {});
      } catch (error) {
        if (error instanceof SignInRefused) throw error;
        const isRefused = error instanceof library.AuthorizationResponseError;
        logger.warn({ err: error, issuer: settings.issuer }, 'a sign-in by the identity provider failed');
        throw new SignInRefused(isRefused ? 'refused' : 'failed', messageOf(error));
      }
    },
  };
}

/** Requires that the provider has verified the email: anyone can enter any email there. */
function verifiedEmail({ email, email_verified: isVerified }: Record<string, unknown>): string {
  if (typeof email !== 'string' || email.trim() === '' || isVerified !== true)
    throw new SignInRefused('unverified', 'the provider gives no verified email');
  return email;
}
