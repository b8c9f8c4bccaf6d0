import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureDescribed } from "../../../build/bundles/index.ts";
import { projectOf, readManifest } from "../../../build/index.ts";
import { withEnvFiles } from "../../../local/template/tool-secrets.ts";
import { neededSecrets } from "../../../shared/runtime/registry-manifest.ts";
import { localEnvironment } from "../../config/local-environment.ts";
import { readProject, settingsOf, type UserProject } from "../../config/read-project.ts";
import { type AwsApi, AwsError } from "../../doctor/aws/aws-api.ts";
import { reachAws } from "../reach-aws.ts";
import { openTerminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";

type SecretOptions = { readonly stage?: string; readonly json?: true };

/** Says which secrets the project's tools need, and whether each is there. Values are never shown. */
export async function listSecrets({ stage, json }: SecretOptions): Promise<void> {
  const project = await readProject();
  const needed = await neededBy(project);
  const rows = await Promise.all(
    [...needed].map(async ([name, tool]) => ({
      name,
      tool,
      ...(stage === undefined ? here(project, name) : await inStage(project, stage, name)),
    })),
  );
  if (rows.some(({ isSet }) => !isSet)) process.exitCode = 1;
  if (json) return console.log(JSON.stringify(rows, null, 2));
  if (rows.length === 0) console.log("No tool declares a secret.");
  for (const { name, tool, place, isSet } of rows)
    console.log(`${isSet ? "set    " : "MISSING"} ${name}  of ${tool}  ${place}`);
}

/**
 * Stores a secret, which is read from the input so that it is in no history of a shell: for this machine in `.env.local`, for
 * a stage in Secrets Manager.
 */
export async function setSecret(name: string, { stage, json }: SecretOptions): Promise<void> {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name))
    throw new UsageError(`${name} is no name of a secret: capital letters, digits and _.`);
  const project = await readProject();
  const value = await readValue(name);
  if (stage === undefined) {
    await setInFile(join(projectOf({ registry: project.registry }).home, ".env.local"), name, value);
    if (json) return console.log(JSON.stringify({ name, place: ".env.local" }));
    return console.log(`${name} is in .env.local. A running platform has it after a restart.`);
  }
  const mapped = placeOf(project, stage, name);
  const place = mapped ?? `agent-platform/${stage}/${name}`;
  await putSecret(await reachAws(), place, value);
  if (json) return console.log(JSON.stringify({ name, place, mapped: mapped !== undefined }));
  console.log(`${name} is in Secrets Manager as ${place}.`);
  if (mapped === undefined)
    console.log(`Name it in agent-platform.config.ts, then deploy: toolSecrets: { ${name}: "${place}" }`);
}

/** The secrets that tools declare, each with one of them. */
async function neededBy({ registry }: UserProject): Promise<ReadonlyMap<string, string>> {
  await ensureDescribed({ registry });
  return neededSecrets(readManifest(projectOf({ registry }).dist)?.needs ?? []);
}

function here({ config, registry }: UserProject, name: string) {
  const { home } = projectOf({ registry });
  const environment = withEnvFiles({ ...localEnvironment(config), ...process.env }, home);
  return { place: "on this machine", isSet: Boolean(environment[name]) };
}

async function inStage(project: UserProject, stage: string, name: string) {
  const place = placeOf(project, stage, name);
  if (place === undefined) return { place: "not in toolSecrets of the config", isSet: false };
  try {
    await (await reachAws()).call("secretsmanager", "DescribeSecret", { SecretId: place });
    return { place, isSet: true };
  } catch (error) {
    if (isNotThere(error)) return { place, isSet: false };
    throw error;
  }
}

/** The secret's name in Secrets Manager, as the config maps it. */
function placeOf(project: UserProject, stage: string, name: string): string | undefined {
  const { toolSecrets } = settingsOf(project, stage);
  const place = typeof toolSecrets === "object" ? toolSecrets[name] : undefined;
  return typeof place === "object" ? place.secret : place;
}

async function putSecret(aws: AwsApi, place: string, value: string): Promise<void> {
  const secret = { SecretString: value, ClientRequestToken: randomUUID() };
  try {
    await aws.call("secretsmanager", "PutSecretValue", { SecretId: place, ...secret });
  } catch (error) {
    if (!isNotThere(error)) throw error;
    await aws.call("secretsmanager", "CreateSecret", { Name: place, ...secret });
  }
}

const isNotThere = (error: unknown): boolean =>
  error instanceof AwsError && error.code === "ResourceNotFoundException";

async function readValue(name: string): Promise<string> {
  const terminal = openTerminal();
  try {
    const value = await terminal.ask(process.stdin.isTTY ? `Value of ${name}: ` : "");
    if (!value)
      throw new UsageError(`No value was given: printf %s "$VALUE" | npx agent-platform secrets set ${name}`);
    return value;
  } finally {
    terminal.close();
  }
}

/** Only its owner may read it. */
const PRIVATE = 0o600;

async function setInFile(file: string, name: string, value: string): Promise<void> {
  const before = existsSync(file) ? await readFile(file, "utf8") : "";
  const others = before.split("\n").filter((line) => line !== "" && !line.startsWith(`${name}=`));
  await writeFile(file, `${[...others, `${name}=${quoted(value)}`].join("\n")}\n`, { mode: PRIVATE });
}

/** @throws UsageError for a value that the format has no quotes for */
function quoted(value: string): string {
  if (/^[\w./:+-]+$/.test(value)) return value;
  const quote = ["'", '"', "`"].find((one) => !value.includes(one));
  if (quote === undefined) throw new UsageError("A value with all kinds of quotes cannot be kept in a file.");
  return quote + value + quote;
}
