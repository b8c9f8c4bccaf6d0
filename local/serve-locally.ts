import { existsSync } from "node:fs";
import { projectOf } from "../build/index.ts";
import { neededSecrets, type RegistryManifest } from "../shared/runtime/registry-manifest.ts";
import { explainStartupError } from "./explain-startup-error.ts";
import { readableLine } from "./logs/readable-line.ts";
import { onNpmEnded } from "./machine/npm-ancestors.ts";
import { isAtTerminal, onEnter } from "./machine/on-enter.ts";
import { isOpen, type Platform, startPlatform } from "./platform.ts";
import { progressLine } from "./progress-line.ts";
import { StartupError } from "./startup-error.ts";
import { misspelledVariables, requireCardAddress, requireModelKey } from "./template/check-environment.ts";
import { withEnvFiles } from "./template/tool-secrets.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type ServeOptions = {
  readonly watch: boolean;
  readonly registry?: string | undefined;
  readonly json?: boolean;
  /** Called once it serves, with the page of the console. */
  readonly greeted?: (page: string) => void;
};

/**
 * Starts the platform, says how to try it, and stops it when asked to. Ends the process when it cannot start.
 *
 * @param variables         of the process; keys and secrets that are not among them come from `.env`
 * @param options.watch     whether edited sources are reloaded while it runs
 * @param options.json      whether the lines of functions are shown as they are, for programs
 * @param options.registry  file that exports the `registry`; this project's own when absent
 */
export async function serveLocally(
  variables: Environment,
  { watch, registry, json = false, greeted }: ServeOptions,
): Promise<void> {
  // Whatever this process and its children write is its user's alone.
  process.umask(0o077);
  const environment = withEnvFiles(variables, projectOf({ registry }).home);
  const line = progressLine(process.stdout);
  const timed = (step: string): string =>
    `${String(Math.round(process.uptime() * 1000)).padStart(6)} ms  ${step}`;
  const progress = (step: string): void => line.lasting(timed(step));
  const dataDir = environment.DATA_DIR || ".local";
  const isNew = !existsSync(dataDir) && !environment.DYNAMODB_ENDPOINT;
  try {
    const { port, concurrency } = numbersOf(environment);
    requireModelKey(environment);
    requireCardAddress(environment);
    let printLink = (): void => {};
    const platform = await startPlatform({
      dataDir,
      port,
      environment,
      registry,
      // Nothing is there that a timer could find, and the first answer would share the processors with them.
      ...(isNew && { timersFirstFire: "at the rate" }),
      ...(concurrency !== undefined && { concurrency }),
      progress,
      passing: (step) => line.passing(timed(step)),
      ...(watch && { reloaded: (text) => line.lasting(`${clockTime(new Date())}  ${text}`) }),
      show: (text) => {
        line.clear();
        console.error(text);
      },
      shownToAuthor: json ? (text) => text : readableLine,
      signedIn: () => printLink(),
    });
    stopWhenAsked(platform, environment);
    progress("ready");
    for (const warning of misspelledVariables(environment, secretsOf(platform))) console.warn(warning);
    console.log(greeting(platform));
    printLink = linkPrinter(platform);
    if (watch)
      console.log(
        `Edit ${registry === undefined ? "registry/, functions/ or shared/" : "your files"}: it reloads within seconds of a save.\n`,
      );
    greeted?.(platform.consoleLink?.() ?? `${platform.url}/docs`);
    if (!isNew) void listOnce(platform);
    if (isOpen(environment)) console.warn("OPEN_ACCESS: whoever reaches this address is an admin.\n");
  } catch (error) {
    console.error(explainStartupError(error, dataDir));
    process.exit(1);
  }
}

const clockTime = (now: Date): string => now.toLocaleTimeString("en-GB");

function numbersOf({ PORT, LOCAL_CONCURRENCY }: Environment): {
  port: number;
  concurrency: number | undefined;
} {
  const port = Number(PORT || 7777);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new StartupError(`PORT is "${PORT}"; it must be a whole number up to 65535.`);
  }
  const concurrency = LOCAL_CONCURRENCY ? Number(LOCAL_CONCURRENCY) : undefined;
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new StartupError(`LOCAL_CONCURRENCY is "${LOCAL_CONCURRENCY}"; it must be a whole number above 0.`);
  }
  return { port, concurrency };
}

/**
 * Prints a new link to the console, whose links work once: when the last one was used, and whenever the user at the terminal
 * presses Enter.
 */
function linkPrinter({ consoleLink }: Platform): () => void {
  if (!consoleLink) return () => {};
  const print = (): void => console.log(`Console      ${consoleLink()}`);
  onEnter(print);
  return print;
}

/** Variables that are no settings, and mean something to the tools of the registry. */
const secretsOf = ({ manifest }: Platform): string[] => [...neededSecrets(manifest.needs).keys()];

/** Where the first thing of the registry that can be run is run; undefined for an empty registry. */
function runPath({ agents, teams, workflows }: RegistryManifest): string | undefined {
  const paths = [
    ["agents", agents],
    ["teams", teams],
    ["workflows", workflows],
  ] as const;
  const [kind, ids] = paths.find(([, declared]) => declared.length > 0) ?? [];
  return kind && `/${kind}/${ids?.[0]}/runs`;
}

function greeting({ url, token, adminScope, consoleLink, manifest }: Platform): string {
  const admin = token({ sub: "admin", scopes: [adminScope] });
  const again = isAtTerminal() ? "Press Enter for a new one" : "A new one is printed then";
  const link =
    consoleLink && `\nConsole      ${consoleLink()}\n             (this link signs you in, once. ${again}.)`;
  const path = runPath(manifest);
  const tryIt =
    path === undefined
      ? ""
      : `
Try it:

curl -s ${url}${path} -H 'Authorization: Bearer ${admin}' -F message='Hello' -F stream=false
`;
  return `
Address      ${url}${link ?? ""}
Docs         ${url}/docs
Admin token  ${admin}
${tryIt}
Stop with Ctrl+C.
`;
}

/** Starts the function that warns of stored components that code hides, so that the console shows it at the start. */
async function listOnce({ url, token }: Platform): Promise<void> {
  const authorization = `Bearer ${token({ sub: "start", scopes: ["agents:read"] })}`;
  await fetch(`${url}/agents`, { headers: { authorization } }).catch(() => {});
}

const stopWithinMs = 1800;

function stopWhenAsked(platform: Platform, environment: Environment): void {
  const stop = (): void => {
    // Whatever hangs must not keep the process: all that was answered is on disk already.
    setTimeout(() => process.exit(0), stopWithinMs).unref();
    void platform.stop().finally(() => process.exit(0));
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  process.once("SIGHUP", stop);
  onNpmEnded(environment, stop);
}
