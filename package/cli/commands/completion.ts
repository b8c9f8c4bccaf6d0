import type { Command } from "commander";
import { UsageError } from "../usage-error.ts";

/** Words that may follow, by what stands before them: "" for the commands, a command's name for its options. */
type Words = ReadonlyMap<string, readonly string[]>;

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
  const commands = program.createHelp().visibleCommands(program);
  const options = commands.map(
    (one) => [one.name(), one.options.map(({ long }) => long ?? "").filter(Boolean)] as const,
  );
  return new Map([["", commands.map((one) => one.name())], ...options]);
}

const bash = (words: Words): string => `_agent_platform() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases(words)}
  esac
  [ "$COMP_CWORD" = 1 ] && words="${words.get("")?.join(" ")}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _agent_platform agent-platform`;

const shells = {
  bash,
  zsh: (words: Words) => `autoload -U bashcompinit && bashcompinit\n${bash(words)}`,
  fish: (words: Words) =>
    [
      "complete -c agent-platform -f",
      ...[...words].flatMap(([command, known]) =>
        known.map((word) =>
          command === ""
            ? `complete -c agent-platform -n __fish_use_subcommand -a ${word}`
            : `complete -c agent-platform -n "__fish_seen_subcommand_from ${command}" -l ${word.replace(/^--/, "")}`,
        ),
      ),
    ].join("\n"),
};

const cases = (words: Words): string =>
  [...words]
    .filter(([command]) => command !== "")
    .map(([command, known]) => `    ${command}) words="${known.join(" ")}" ;;`)
    .join("\n");
