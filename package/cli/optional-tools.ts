import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { managerCommand } from "../../local/machine/manager-command.ts";
import { openTerminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";

/** What some commands take and others do not, with its versions. Optional peers of the package. */
export type OptionalTools = Readonly<Record<string, string>>;

const ofEditors = (name: string): boolean => name.startsWith("@agentclientprotocol/");

/** What each manager adds packages for development with, by the file that says that a project uses it. */
const managers = [
  ["pnpm-lock.yaml", ["pnpm", "add", "-D"]],
  ["yarn.lock", ["yarn", "add", "-D"]],
  ["bun.lock", ["bun", "add", "-d"]],
  ["package-lock.json", ["npm", "install", "--save-dev"]],
] as const;

/**
 * Has the CDK installed before it is needed, more than everything else together: asks once at a terminal, and says the command
 * elsewhere.
 *
 * @param tools   packages with their versions, as the package's manifest has them
 * @param folder  of the project
 * @throws UsageError with the command where it is not installed
 */
export async function requireCdk(tools: OptionalTools, folder: string): Promise<void> {
  const missing = missingTools(tools, folder).filter((name) => !ofEditors(name));
  if (missing.length === 0) return;
  const [program = "npm", ...args] = installing(tools, missing, folder);
  const command = [program, ...args].join(" ");
  const sentence = "Deploying needs the AWS CDK (220 MB), which running here does not.";
  if (!process.stdin.isTTY) throw new UsageError(`${sentence} Install it into the project: ${command}`);
  const terminal = openTerminal();
  const entered = await terminal.ask(`${sentence} Install it into this project now? (Y/n) `);
  terminal.close();
  if (!/^(y|yes|)$/i.test(entered?.trim() ?? "n"))
    throw new UsageError(`Then install it yourself: ${command}`);
  const { file, args: given, isQuoted } = managerCommand(program, args);
  const child = spawn(file, given, { cwd: folder, stdio: "inherit", windowsVerbatimArguments: isQuoted });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new UsageError(`It could not be installed. Try it yourself: ${command}`);
}

/**
 * Refuses where the protocol of editors is not installed. It asks nothing: an editor is at the other end.
 *
 * @throws UsageError with the command that installs it
 */
export function requireEditorTools(tools: OptionalTools, folder: string): void {
  const missing = missingTools(tools, folder).filter(ofEditors);
  if (missing.length === 0) return;
  const command = installing(tools, missing, folder).join(" ");
  throw new UsageError(`Serving an editor needs ${missing.join()}. Install it into the project: ${command}`);
}

const installing = (tools: OptionalTools, missing: readonly string[], folder: string): readonly string[] => [
  ...managerOf(folder),
  ...missing.map((name) => `${name}@${tools[name]}`),
];

/** Those that are not found from the project, with its own eyes and the package's. */
export function missingTools(tools: OptionalTools, folder: string): readonly string[] {
  const places = [createRequire(join(folder, "package.json")), createRequire(import.meta.url)];
  const has = (name: string): boolean =>
    places.some(({ resolve }) => resolve.paths(name)?.some((modules) => existsSync(join(modules, name))));
  return Object.keys(tools).filter((name) => !has(name));
}

/** The nearest lockfile upwards decides: in a monorepo it lies at the top. */
export function managerOf(folder: string): readonly string[] {
  for (let at = folder; ; at = dirname(at)) {
    const found = managers.find(([file]) => existsSync(join(at, file)));
    if (found) return found[1];
    if (at === dirname(at)) return ["npm", "install", "--save-dev"];
  }
}
