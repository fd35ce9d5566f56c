import { Argument, type Command } from 'commander';
import { writeAll, type Terminal } from '../output/print';

/** The first word of a command line that a shell asks to complete. */
export const completeWord = '__complete';

const scripts = {
  bash: `# Completion of tieout for bash.
_tieout() {
  local IFS=$'\\n'
  local found=$(tieout ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tieout tieout
`,
  zsh: `#compdef tieout
_tieout() {
  local line
  local -a found
  for line in "\${(@f)$(tieout ${completeWord} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${line%%$'\\t'*}:\${line#*$'\\t'}")
  done
  if (( $#found )); then _describe tieout found; else _files; fi
}
if [[ $funcstack[1] == _tieout ]]; then _tieout "$@"; else compdef _tieout tieout; fi
`,
  fish: `# Completion of tieout for fish.
function __tieout_complete
  set -l words (commandline -opc) (commandline -ct)
  tieout ${completeWord} $words[2..-1] 2>/dev/null
end
complete -c tieout -a '(__tieout_complete)'
`,
};

const help = `
bash:  tieout completion bash > ~/.local/share/bash-completion/completions/tieout
zsh:   tieout completion zsh > "\${fpath[1]}/_tieout"
fish:  tieout completion fish > ~/.config/fish/completions/tieout.fish
`;

export function addCompletion(program: Command, { out }: Terminal): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action((shell: keyof typeof scripts) => writeAll(out, [scripts[shell]]));
}

/**
 * Lists what may stand in place of the last word, a line each: the word, a tab, its text. Nothing is listed where a
 * file or a free text belongs.
 */
export function completions(program: Command, words: readonly string[]): string {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  let command = program;
  for (const word of before) command = command.commands.find((one) => one.name() === word) ?? command;
  return candidatesOf(command, before.at(-1) ?? '', current)
    .filter(([word]) => word.startsWith(current))
    .map(([word, text]) => `${word}\t${text}\n`)
    .join('');
}

type Candidate = readonly [word: string, text: string];

function candidatesOf(command: Command, previous: string, current: string): Candidate[] {
  const options = command.createHelp().visibleOptions(command);
  const awaiting = options.find(({ long, short, required }) => required && [long, short].includes(previous));
  if (awaiting !== undefined) return (awaiting.argChoices ?? []).map((value) => [value, awaiting.description]);
  if (current.startsWith('-')) return options.map(({ long, short, description }) => [long ?? short ?? '', description]);
  return [
    ...command.commands.map((one): Candidate => [one.name(), one.description()]),
    ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
      argChoices.map((value): Candidate => [value, description]),
    ),
  ];
}
