import { Command, CommanderError, Help, type Option } from 'commander';
import { TieoutError } from '@tieout/client';
import { addBooks } from './commands/books';
import { addCompare } from './commands/compare';
import { addCompletion, completeWord, completions } from './commands/completion';
import { addData } from './commands/data';
import { addLogin } from './commands/login';
import { addPeriods } from './commands/periods';
import { addReconciliations } from './commands/reconciliations';
import { addRules } from './commands/rules';
import type { CommandContext } from './commands/context';
import { addWebhooks } from './commands/webhooks';
import { CommandError, exitCodes } from './failure';
import { errorText, isReaderGone, writeAll, type Terminal } from './output/print';
import { explained } from './service/session';

/** Runs one command line. Returns its exit code; a failure is printed to `err`, without a stack. */
export async function runProgram(args: readonly string[], terminal: Terminal, version: string): Promise<number> {
  const { out, err } = terminal;
  let code: number = exitCodes.tied;
  const isJson = args.includes('--json');
  const program = new Command('tieout')
    .description('Tieout on the command line: reconcile files, and work with the service')
    .version(version)
    .exitOverride()
    .configureHelp({ optionDescription: describedOption })
    .showHelpAfterError(isJson ? false : '(--help says how to use it)')
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      outputError: (text) => err.write(errorText({ message: text.trim().replace(/^error: /, '') }, args)),
    });
  const context: CommandContext = { terminal, end: (ended: number) => (code = ended) };
  addCompare(program, terminal, context.end);
  addLogin(program, context);
  addData(program, context);
  addRules(program, context);
  addReconciliations(program, context);
  addBooks(program, context);
  addPeriods(program, context);
  addWebhooks(program, context);
  addCompletion(program, terminal);
  try {
    if (args[0] === completeWord) {
      await writeAll(out, [completions(program, args.slice(1))]);
      return code;
    }
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    const explain = context.session?.explained ?? explained;
    return report(error instanceof TieoutError ? explain(error) : error, terminal, args);
  }
}

/** The text of an option in --help, which says whether the command works without it. */
function describedOption(option: Option): string {
  const text = new Help().optionDescription(option);
  return option.mandatory ? `${text} (required)` : text.replace(' (default: [])', '');
}

function report(error: unknown, { err }: Terminal, args: readonly string[]): number {
  // Commander has printed what is wrong. It also ends --help by an error, which is no failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.tied : exitCodes.failed;
  if (isReaderGone(error)) return exitCodes.readerGone;
  err.write(errorText(error instanceof CommandError ? error : { message: (error as Error).message }, args));
  return exitCodes.failed;
}
