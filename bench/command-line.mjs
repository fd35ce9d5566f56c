import { parseArgs } from 'node:util';

/** Says that the command line cannot be understood. */
export class UsageError extends Error {}

const usageExitCode = 2;

/**
 * Runs a tool with the options of the command line, or prints its help. A command line that cannot be understood ends
 * it with exit code 2, a reason and the help.
 *
 * @param {{ readOptions: (args: string[]) => object, help: string, run: (options: object) => Promise<void> }} tool
 */
export async function runTool({ readOptions, help, run }) {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.help) return console.log(help);
    await run(options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${help}`);
    process.exitCode = usageExitCode;
  }
}

/** @param {string[]} args @param {import('node:util').ParseArgsOptionsConfig} options @throws UsageError */
export function parse(args, options) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

const units = { '': 1, k: 1_000, M: 1_000_000 };

/** "10k" as 10000. @throws UsageError */
export function readSize(text) {
  const parsed = /^(\d+)(k|M|)$/.exec(text);
  const size = parsed ? Number(parsed[1]) * units[parsed[2]] : NaN;
  if (!(size >= 1_000 && size <= 2_000_000))
    throw new UsageError(`--size: "${text}" is not a number of records from 1k to 2M`);
  return size;
}

/** 10000 as "10k". */
export function sizeText(size) {
  if (size % units.M === 0) return `${size / units.M}M`;
  return size % units.k === 0 ? `${size / units.k}k` : String(size);
}

/** @throws UsageError */
export function readWhole(name, text, max) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw new UsageError(`--${name}: "${text}" is not a whole number from 1 to ${max}`);
  return number;
}

/** @throws UsageError */
export function readChoice(name, text, known) {
  if (!known.includes(text)) throw new UsageError(`--${name}: there is no "${text}" (${known.join(', ')})`);
  return text;
}
