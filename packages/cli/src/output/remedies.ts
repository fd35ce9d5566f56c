interface Remedy {
  option: string;
  value: string | null;
}

/**
 * Returns a message of a reading with the arguments that settle it: `given` is the option of the command line that
 * passes options of reading, such as `--read`.
 */
export function withRemedies(message: string, remedies: readonly Remedy[], given: string): string {
  if (remedies.length === 0) return message;
  const settings = remedies.map(({ option, value }) => inShell(`${option}=${value ?? '…'}`));
  return `${message}. If that is wrong, add ${given} ${settings.join(' or ')}`;
}

/** Writes an argument so that a shell passes it unchanged. */
const inShell = (argument: string): string =>
  /^[\w./:,=…-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
