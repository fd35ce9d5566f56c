import { messageOf } from '../kernel/errors';
import { readStoreUrl } from './store-url';

/** A database with tenants of its own. */
export interface NamedDatabase {
  name: string;
  url: string;
}

/** The name of the database of DATABASE_URL. */
export const mainDatabase = 'main';

const namePattern = /^[a-z][a-z0-9_]{0,20}$/;

/**
 * Reads DATABASES: entries `name=url`, separated by white space. The database `main` comes first.
 * @throws Error that names the entry and what is wrong with it, without its password
 */
export function readDatabases(mainUrl: string, text = ''): NamedDatabase[] {
  const databases: NamedDatabase[] = [{ name: mainDatabase, url: mainUrl }];
  const entries = text.split(/\s+/).filter((entry) => entry !== '');
  entries.forEach((entry, i) => {
    const [name = '', ...rest] = entry.split('=');
    const where = namePattern.test(name) ? `the entry "${name}"` : `entry ${i + 1}`;
    if (rest.length === 0 || where.startsWith('entry'))
      throw new Error(`${where} is not name=url, with a name of lower-case letters, digits and _`);
    if (databases.some((one) => one.name === name))
      throw new Error(`${where} has a name that is taken${name === mainDatabase ? ' by DATABASE_URL' : ''}`);
    const url = rest.join('=');
    if (!/^postgres(ql)?:\/\//.test(url)) throw new Error(`${where} needs a url that begins with postgres://`);
    databases.push({ name, url: readUrl(url, where) });
  });
  return databases;
}

function readUrl(text: string, where: string): string {
  try {
    return readStoreUrl(text);
  } catch (error) {
    throw new Error(`${where} ${messageOf(error)}`, { cause: error });
  }
}
