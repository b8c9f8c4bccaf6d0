import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "../../local/machine/free-port.ts";

const root = join(import.meta.dirname, "../..");

/** The machine of a new user: an empty folder and an environment that knows nothing of this repository. */
export type UserMachine = {
  readonly place: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder with both tarballs: the one that the command line names, or they are made now. */
  readonly tarballs: string;
  /** Runs a command to its end. @param input  is typed; nothing when left out @throws Error with its output when it fails */
  readonly run: (command: string, args: readonly string[], cwd?: string, input?: string) => Promise<string>;
  /** Starts a project with `dev`, and waits until it serves. */
  readonly started: (project: string) => Promise<ChildProcess>;
  /** Deletes everything. */
  readonly remove: () => void;
};

export async function openUserMachine(name: string): Promise<UserMachine> {
  const place = mkdtempSync(join(tmpdir(), `agent-platform-${name}-`));
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  const env: Record<string, string> = {
    ...userEnvironment(place),
    // By which npm trusts the registry that it reaches here: what the developer names, else what the system trusts.
    ...(certificates !== undefined ? { NODE_EXTRA_CA_CERTS: certificates } : { NODE_USE_SYSTEM_CA: "1" }),
    PORT: String(await freePort()),
    // What an earlier project has fetched is not asked for again, and an answer that does not come is asked for again within a minute.
    npm_config_prefer_offline: "true",
    npm_config_fetch_timeout: "60000",
    npm_config_fund: "false",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
    ...(process.env.npm_config_registry && { npm_config_registry: process.env.npm_config_registry }),
  };
  return {
    place,
    env,
    tarballs: packed(place),
    run: async (command, args, cwd = place, input = "") => {
      const child = spawn(command, args, { cwd, env });
      // A program may end without reading what is typed.
      child.stdin.on("error", () => {});
      child.stdin.end(input);
      const [out, err, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "exit"),
      ]);
      if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${out}${err}`);
      return out + err;
    },
    started: (project) => started(project, env),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** The tarball of `core` or `create` in a folder. */
export const tarballIn = (folder: string, name: string): string =>
  join(folder, readdirSync(folder).find((file) => file.startsWith(`agentplatform-${name}-`)) ?? "");

export const commandLineIn = (project: string): string =>
  join(project, "node_modules/@agentplatform/core/package/cli/agent-platform.mjs");

/** Without what a developer of this repository has; Windows does without little of it. */
function userEnvironment(place: string): Record<string, string> {
  const home = join(place, "home");
  if (process.platform === "win32") {
    const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    return { ...Object.fromEntries(own.map(([name, value]) => [name, value ?? ""])), USERPROFILE: home };
  }
  const usual = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const given = process.platform === "linux" ? usual : process.env.PATH;
  return { PATH: process.env.PATH_OF_USERS ?? given ?? usual, HOME: home };
}

function packed(place: string): string {
  const given = process.argv.slice(2).find((one) => !one.startsWith("--"));
  if (given !== undefined) return resolve(given);
  execFileSync(process.execPath, [join(root, "scripts/package/pack.ts"), "--tarball", place], {
    cwd: root,
    stdio: "inherit",
  });
  return place;
}

async function started(project: string, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn("node", [commandLineIn(project), "dev"], { cwd: project, env });
  let output = "";
  const ready = Promise.withResolvers<void>();
  const early = (code: number | null): void => ready.reject(new Error(`dev ended with ${code}:\n${output}`));
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
      if (output.includes(" ready\n")) ready.resolve();
    });
  child.once("exit", early);
  await ready.promise;
  child.off("exit", early);
  return child;
}
