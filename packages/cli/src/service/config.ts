import { homedir } from 'node:os';
import path from 'node:path';

/** The settings of the command line in the environment, which go before those of a profile. */
export interface ServiceSettings {
  url: string | undefined;
  key: string | undefined;
  profile: string | undefined;
  tenant: string | undefined;
  /** The file that holds profiles. */
  file: string;
}

export function readServiceSettings(env: Readonly<Record<string, string | undefined>> = process.env): ServiceSettings {
  // A variable without a text is one that is not set.
  const setting = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const folder = setting('XDG_CONFIG_HOME') ?? path.join(homedir(), '.config');
  return {
    url: setting('TIEOUT_URL'),
    key: setting('TIEOUT_KEY'),
    profile: setting('TIEOUT_PROFILE'),
    tenant: setting('TIEOUT_TENANT'),
    file: setting('TIEOUT_PROFILES') ?? path.join(folder, 'tieout', 'profiles.json'),
  };
}
