/** Reads the settings of an environment file: name → values, in file order. Commented-out settings count. */
export function parseEnvFile(text: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, rest] = /^\s*(?:#\s*)?(?:export\s+)?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) continue;
    settings.set(name, [...(settings.get(name) ?? []), envValue(rest.trim())]);
  }
  return settings;
}

/** The value without quotes and without a comment behind it. */
function envValue(text: string): string {
  const quoted = /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(text);
  return quoted?.[2] ?? text.replace(/\s+#.*$|^#.*$/, '');
}
