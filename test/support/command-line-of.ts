/** What the command line understands: the options of each of its commands, by its name, such as `secrets set`. */
export type CommandLine = ReadonlyMap<string, ReadonlySet<string>>;

/** @param source  text of `package/cli/main.ts`: importing it would run it */
export function commandLineOf(source: string): CommandLine {
  const shared = new Map(
    [...source.matchAll(/^const (\w+) = new Option\(\s*"([^"]+)"/gm)].map(([, name = "", flags = ""]) => [
      name,
      optionsIn(flags),
    ]),
  );
  const [, ...parts] = source.split(/^(?=program$|for \(const \[name|secrets$|const secrets = )/m);
  const commands = new Map<string, ReadonlySet<string>>();
  for (const part of parts) {
    const own = [...part.matchAll(/[oO]ption\(\s*"([^"]+)"/g)].flatMap(([, flags = ""]) => optionsIn(flags));
    const added = [...part.matchAll(/\.addOption\((\w+)\)/g)].flatMap(
      ([, name = ""]) => shared.get(name) ?? [],
    );
    for (const name of namesIn(part)) commands.set(name, new Set([...own, ...added, "--help"]));
  }
  return commands;
}

const optionsIn = (flags: string): readonly string[] => flags.match(/--?[a-z][\w-]*/g) ?? [];

function namesIn(part: string): readonly string[] {
  if (part.startsWith("for")) return [...part.matchAll(/^ {2}\["(\w+)"/gm)].map(([, name = ""]) => name);
  const [, name = ""] = /\.command\("(\w+)/.exec(part) ?? [];
  return [part.startsWith("secrets") ? `secrets ${name}` : name];
}

/** A command as a text names it, with its options. */
export type NamedCommand = {
  readonly text: string;
  readonly name: string;
  readonly options: readonly string[];
};

/** The commands that code in a text calls: `npx agent-platform …`, and `agent-platform …` where code begins with it. */
export function commandsNamedIn(text: string, known: CommandLine): readonly NamedCommand[] {
  const called = /(?:npx |`|^|bin\/)agent-platform ([a-z]+)((?: [^\n`]*)?)/gm;
  return [...text.matchAll(called)].map(([whole, first = "", rest = ""]) => {
    const [, second = ""] = /^ ([a-z]+)/.exec(rest) ?? [];
    const name = known.has(`${first} ${second}`) ? `${first} ${second}` : first;
    // What follows these is another command's, or a comment.
    const [own = ""] = rest.split(/ -- | --$| && |[|;#)]|`/);
    return { text: whole, name, options: own.match(/(?<=\s)--?[a-z][\w-]*/g) ?? [] };
  });
}

/** What is wrong with the commands that a text names, a line each. */
export const wrongCommandsIn = (text: string, known: CommandLine): readonly string[] =>
  commandsNamedIn(text, known).flatMap(({ text: whole, name, options }) => {
    const has = known.get(name);
    if (has === undefined) return [`${whole}: there is no command ${name}`];
    return options.filter((option) => !has.has(option)).map((option) => `${whole}: there is no ${option}`);
  });
