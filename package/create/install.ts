import { spawn } from "node:child_process";
import { once } from "node:events";
import { managerCommand } from "../../local/machine/manager-command.ts";
import { CreateError } from "./create-error.ts";

/** The package manager that started this process; npm where none says so. */
export function manager(agent = process.env.npm_config_user_agent ?? ""): string {
  const [, name = "npm"] = /^(pnpm|yarn|bun)\//.exec(agent) ?? [];
  return name;
}

/** @param script  is run afterwards, until it ends; nothing when undefined */
export async function installAndStart(folder: string, script: string | undefined): Promise<void> {
  await run(manager(), installation(), folder);
  if (script !== undefined)
    await run(manager(), ["run", script, ...(manager() === "npm" ? ["--"] : []), "--open"], folder);
}

/**
 * npm warns of packages that want a newer Node than its user's, which a project brings, and asks its registry for advisories: the next
 * `npm install` does both.
 */
export const installation = (name: string = manager()): readonly string[] =>
  name === "npm" ? ["install", "--loglevel", "error", "--no-audit", "--no-fund"] : ["install"];

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const command = managerCommand(program, args);
  const child = spawn(command.file, command.args, {
    cwd,
    stdio: "inherit",
    windowsVerbatimArguments: command.isQuoted,
  });
  // A terminal sends its signals to the child as well, which ends by them.
  process.on("SIGINT", () => {});
  const [code, signal] = await once(child, "exit");
  if (code !== 0 && signal === null)
    throw new CreateError(`${program} ${args.join(" ")} ended with ${code}.`);
}
