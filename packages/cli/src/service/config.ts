import { homedir } from 'node:os';
import path from 'node:path';

/** The settings of the command line in the environment, which go before those of a profile. */
export interface ServiceSettings {
  url: string | undefined;
  key: string | undefined;
  profile: string | undefined;
  /** The file that holds profiles. */
  file: string;
}

export function readServiceSettings(env: Readonly<Record<string, string | undefined>> = process.env): ServiceSettings {
  const folder = env['XDG_CONFIG_HOME'] ?? path.join(homedir(), '.config');
  return {
    url: env['TIEOUT_URL'],
    key: env['TIEOUT_KEY'],
    profile: env['TIEOUT_PROFILE'],
    file: env['TIEOUT_PROFILES'] ?? path.join(folder, 'tieout', 'profiles.json'),
  };
}
