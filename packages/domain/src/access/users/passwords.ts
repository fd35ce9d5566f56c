import { randomBytes, scrypt, timingSafeEqual, type BinaryLike, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt);

/** Block size and parallelization of a hash: at the cost 2^15, 32 MiB of memory, three times, take about 0.2 s. */
const present = [8, 3].join('$');
const saltBytes = 16;
const hashBytes = 32;

const minLength = 12;
const maxLength = 256;
const minDistinct = 5;
/** Words that begin the passwords which are guessed first. */
const common =
  /^(p[a4@]ss(w[o0]rd|phrase)?|qwerty|letmein|welcome|admin(istrator)?|changeme|iloveyou|tieout|secret|\P{L})+/iu;

const normalized = (password: string): string => password.normalize('NFKC');

interface PasswordHash {
  /** All that goes into the hash but the password. */
  recipe: string;
  hash: Buffer;
}

/** Reads `scrypt$N$r$p$salt$hash`. */
function read(stored: string): PasswordHash {
  const at = stored.lastIndexOf('$');
  return { recipe: stored.slice(0, at), hash: Buffer.from(stored.slice(at + 1), 'base64') };
}

const newRecipe = (cost: number, salt = randomBytes(saltBytes).toString('base64')): string =>
  `scrypt$${cost}$${present}$${salt}`;

function hashBy(recipe: string, password: string): Promise<Buffer> {
  const [, cost, blockSize, parallelization, salt = ''] = recipe.split('$');
  return derive(normalized(password), Buffer.from(salt, 'base64'), hashBytes, {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    maxmem: 256 * Number(cost) * Number(blockSize),
  });
}

/**
 * Returns the stored form of a password.
 * @param cost of scrypt, a power of 2
 * @param known another stored password of the same email, whose salt is used again: one hash then checks all of them,
 *   and signing in takes the same time however many tenants know the email
 */
export async function hashPassword(password: string, cost: number, known?: string): Promise<string> {
  const recipe = newRecipe(cost, known?.split('$')[4]);
  return `${recipe}$${(await hashBy(recipe, password)).toString('base64')}`;
}

/**
 * Returns whether a password is each of the stored ones. Without any, as for an unknown email, it takes as long as with
 * one of the given cost.
 */
export async function checkPassword(password: string, stored: readonly string[], cost: number): Promise<boolean[]> {
  const hashes = stored.map(read);
  const recipes = [...new Set(hashes.map(({ recipe }) => recipe))];
  const derived = new Map<string, Buffer>();
  for (const recipe of recipes.length > 0 ? recipes : [newRecipe(cost)])
    derived.set(recipe, await hashBy(recipe, password));
  return hashes.map(({ recipe, hash }) => timingSafeEqual(hash, derived.get(recipe) as Buffer));
}

/** Says what is wrong with a new password; undefined where nothing is. */
export function faultOfPassword(password: string, email: string): string | undefined {
  const text = normalized(password);
  const length = [...text].length;
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  if (new Set(text).size < minDistinct) return `must have at least ${minDistinct} different characters`;
  const lower = text.toLowerCase();
  const [local = ''] = email.split('@');
  if (lower.includes(email) || (local.length > 3 && lower.replaceAll(local, '').length < minLength - 4))
    return 'must not be made of the email';
  if ((text.replace(common, '').match(/\p{L}/gu) ?? []).length < 2 || isSequence(lower))
    return 'is one of those that are guessed first: take several words';
  return undefined;
}

/** Returns whether a text only counts up or down, or goes along the keyboard. */
function isSequence(text: string): boolean {
  const rows = [
    '0123456789'.repeat(30),
    'abcdefghijklmnopqrstuvwxyz'.repeat(12),
    'qwertyuiopasdfghjklzxcvbnm'.repeat(12),
  ];
  return rows.some((row) => row.includes(text) || [...row].reverse().join('').includes(text));
}
