import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createLogger } from '@tieout/infra';
import { openIdentityProvider, type IdentityProvider } from '../src/identity';

/** A real OpenID provider of a test. */
export interface TestIdentityProvider {
  issuer: string;
  /** The same as the API knows it. */
  provider: IdentityProvider;
  /** Says where people are led back to; before, it answers nothing. */
  lead(redirectUri: string): Promise<void>;
  close(): void;
}

/** Starts an OpenID provider in a process of its own: it is an ES module. */
export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const child = fork(path.join(__dirname, 'identity-provider.mjs'), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }];
  const settings = { issuer, clientId: 'tieout', clientSecret: 'secret', name: 'Test ID' };
  return {
    issuer,
    provider: openIdentityProvider(settings, createLogger('test', 'silent')),
    lead: async (redirectUri) => {
      const ready = once(child, 'message');
      child.send({ redirectUri });
      await ready;
    },
    close: () => void child.kill(),
  };
}

/** Cookies by host, as a browser keeps them. */
type Jar = Map<string, Map<string, string>>;

/** Follows redirects as a browser does, and keeps cookies. */
export class Browser {
  private readonly jar: Jar = new Map();

  /** Opens an address, and where it leads to, until `stop` holds for the next one. Returns the last answer. */
  async open(url: string, { form, stop = () => false }: OpenPage = {}): Promise<OpenedPage> {
    let next = url;
    let body: URLSearchParams | undefined = form && new URLSearchParams(form);
    for (let hops = 0; hops < 20; hops++) {
      const response = await fetch(next, {
        method: body ? 'POST' : 'GET',
        ...(body && { body }),
        redirect: 'manual',
        headers: { cookie: this.cookies(next) },
      });
      this.keep(next, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (location === null) return { url: next, status: response.status, text: await response.text() };
      next = new URL(location, next).href;
      if (stop(next)) return { url: next, status: response.status, text: '' };
      body = undefined;
    }
    throw new Error('too many redirects');
  }

  /** The cookies that go to an address. */
  cookies(url: string): string {
    return [...(this.jar.get(new URL(url).host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keep(url: string, cookies: readonly string[]): void {
    const { host } = new URL(url);
    const kept = this.jar.get(host) ?? new Map<string, string>();
    this.jar.set(host, kept);
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') kept.delete(name);
      else kept.set(name, value);
    }
  }
}

interface OpenPage {
  form?: Record<string, string>;
  stop?: (url: string) => boolean;
}

export interface OpenedPage {
  url: string;
  status: number;
  text: string;
}
