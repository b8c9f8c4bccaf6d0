import type { Command, Option } from "commander";
import { UsageError } from "../usage-error.ts";

/** What may follow, by what stands before it. */
type Words = {
  /** By the commands so far, joined by blanks ("" for none): their commands, or else their options. */
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** By an option: its values, where they are known. */
  readonly values: ReadonlyMap<string, readonly string[]>;
};

/** Prints what makes a shell complete the command line. */
export function printCompletion(shell: string, program: Command): void {
  const make = Object.hasOwn(shells, shell) ? shells[shell as keyof typeof shells] : undefined;
  if (!make)
    throw new UsageError(
      `There is no completion for ${shell}; there is for ${Object.keys(shells).join(", ")}.`,
    );
  console.log(make(wordsOf(program)));
}

function wordsOf(program: Command): Words {
  const after = new Map<string, readonly string[]>();
  const values = new Map<string, readonly string[]>();
  const read = (command: Command, path: readonly string[]): void => {
    const below = command
      .createHelp()
      .visibleCommands(command)
      .filter((one) => path.length === 0 || one.name() !== "help");
    const names = below.map((one) => one.name());
    after.set(path.join(" "), names.length > 0 ? names : command.options.map(longOf));
    for (const option of command.options)
      if (option.argChoices) values.set(longOf(option), option.argChoices);
    for (const one of below) read(one, [...path, one.name()]);
  };
  read(program, []);
  return { after, values };
}

const longOf = ({ long, short }: Option): string => long ?? short ?? "";

/** Those of a command with commands hold for its second word alone; the others from there on. */
const bash = ({ after, values }: Words): string => `_agent_platform() {
  local words="" at
  at="$COMP_CWORD \${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  [ "$COMP_CWORD" = 1 ] && at=1
  [ "$COMP_CWORD" = 2 ] && at="2 \${COMP_WORDS[1]}"
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${[...values].map(([option, list]) => `    ${option}) words="${list.join(" ")}" ;;`).join("\n")}
    *) case "$at" in
      1) words="${after.get("")?.join(" ")}" ;;
${cases(after)}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _agent_platform agent-platform`;

function cases(after: Words["after"]): string {
  const hasCommands = (path: string): boolean => [...after.keys()].some((one) => one.startsWith(`${path} `));
  return [...after]
    .filter(([path]) => path !== "")
    .map(([path, words]) => {
      const at = path.includes(" ") ? `*" ${path}"` : hasCommands(path) ? `"2 ${path}"` : `*" ${path}"*`;
      return `      ${at}) words="${words.join(" ")}" ;;`;
    })
    .join("\n");
}

const shells = {
  bash,
  zsh: (words: Words) => `autoload -U bashcompinit && bashcompinit\n${bash(words)}`,
  fish: ({ after, values }: Words) =>
    [
      "complete -c agent-platform -f",
      ...[...after].flatMap(([path, known]) => known.map((word) => fishLine(path, word, values))),
    ].join("\n"),
};

function fishLine(path: string, word: string, values: Words["values"]): string {
  const commands = path.split(" ").filter(Boolean);
  const where = commands.map((one) => `__fish_seen_subcommand_from ${one}`).join("; and ");
  const condition = where === "" ? "__fish_use_subcommand" : where;
  const given = values.get(word);
  const what = word.startsWith("--")
    ? `-l ${word.slice(2)}${given === undefined ? "" : ` -x -a "${given.join(" ")}"`}`
    : `-a ${word}`;
  return `complete -c agent-platform -n "${condition}" ${what}`;
}
