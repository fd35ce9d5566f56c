import type { Command } from 'commander';
import type { Terminal } from '../output/print';
import { openSession, type ServiceOptions, type Session } from '../service/session';

/** The services that all commands of the program use. */
export interface CommandContext {
  terminal: Terminal;
  /** Sets the exit code. */
  end: (code: number) => void;
  /** The session of the command, once it is open. */
  session?: Session;
}

/** Adds the options of a command that asks the service. */
export function ofService(command: Command): Command {
  return command
    .option('--profile <name>', 'the profile whose key and address are used')
    .option('--url <address>', 'the address of the service')
    .option('--tenant <id>', 'the tenant to act for, with the platform key')
    .option('--json', 'print JSON');
}

/** Opens the session of a command from its options; see `openSession`. */
export async function sessionOf(
  options: ServiceOptions,
  context: CommandContext,
  maxRetries?: number,
): Promise<Session> {
  context.session = await openSession(options, context.terminal, maxRetries);
  return context.session;
}
