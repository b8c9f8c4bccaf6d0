import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A program with its arguments, as `spawn` takes them. */
export type ProgramCommand = {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether Windows is to take the arguments as they stand: they are quoted already. */
  readonly isQuoted: boolean;
};

/** What decides how a manager is started; this process's own when absent. */
export type ManagerMachine = {
  readonly platform: string;
  /** Of the Node that executes this. */
  readonly node: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

const thisMachine = (): ManagerMachine => ({
  platform: process.platform,
  node: process.execPath,
  environment: process.env,
});

/**
 * How npm, pnpm, yarn or bun is started, with no shell where there is a way: on Windows their commands are scripts of a shell, which
 * `spawn` does not start. The manager that started this process says where its own program is.
 *
 * @param name  of the manager: `npm`
 */
export function managerCommand(
  name: string,
  args: readonly string[],
  { platform, node, environment }: ManagerMachine = thisMachine(),
): ProgramCommand {
  const program =
    ownProgram(name, environment) ?? (platform === "win32" ? besideNode(name, node) : undefined);
  if (program !== undefined)
    return /\.[cm]?js$/.test(program)
      ? { file: node, args: [program, ...args], isQuoted: false }
      : { file: program, args, isQuoted: false };
  if (platform !== "win32") return { file: name, args, isQuoted: false };
  // `cmd` takes the quotes around the whole away, and finds the command by the path, with its extension.
  const line = [name, ...args].map(quoted).join(" ");
  return {
    file: environment.ComSpec ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    isQuoted: true,
  };
}

/** Where the manager that started this process is, if it is this one. npx is a program of its own, beside npm's. */
function ownProgram(name: string, environment: ManagerMachine["environment"]): string | undefined {
  const { npm_execpath: program, npm_config_user_agent: agent = "" } = environment;
  if (program === undefined || !agent.startsWith(`${name}/`)) return undefined;
  const isNpx = basename(program.replaceAll("\\", "/")) === "npx-cli.js";
  return isNpx ? program.replace(/npx-cli\.js$/, "npm-cli.js") : program;
}

/** The installer of Node for Windows puts npm beside it. */
function besideNode(name: string, node: string): string | undefined {
  if (name !== "npm") return undefined;
  const program = join(dirname(node), "node_modules", "npm", "bin", "npm-cli.js");
  return existsSync(program) ? program : undefined;
}

/**
 * An argument of `cmd`. Between quotes nothing but these two means something to it.
 *
 * @throws Error for an argument that it cannot be given
 */
function quoted(argument: string): string {
  if (/^[\w@./:\\=^~+-]+$/.test(argument) && !argument.includes("^")) return argument;
  if (/["%\r\n]/.test(argument)) throw new Error(`${argument} cannot be given to a command of Windows.`);
  return `"${argument}"`;
}
