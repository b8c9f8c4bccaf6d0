import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../../bin/agent-platform.ts";
import { wholeTemplate } from "../../lib/stacks/whole-template.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { callCustomResource } from "./custom-resource.ts";
import { type Cloud, deleteStack, deployStack, FAILURE, newStack, type Stack } from "./deploy-stack.ts";
import { type FunctionResult, functionsOf, tryFunction } from "./functions.ts";
import { type Imitation, startImitation } from "./imitation.ts";
import type { Template } from "./template.ts";

export type Rehearsed = {
  readonly moto: string;
  readonly steps: readonly { readonly step: string; readonly went: string; readonly isRight: boolean }[];
  readonly types: ReadonlyMap<string, TypeResult>;
  readonly functions: readonly FunctionResult[];
};
/** How often resources of a type were made and changed, and what the imitation refused. */
export type TypeResult = { accepted: number; unknown: number; readonly refused: string[] };

export type Rehearsal = {
  readonly context: Readonly<Record<string, unknown>>;
  readonly registry?: string | undefined;
  readonly manifest?: RegistryManifest | undefined;
  /** Path of Python with the imitation, and module of the runtime's client. */
  readonly tools: { readonly python: string; readonly client: string };
  /** Names the functions that are run with events; all of them when absent. */
  readonly isRun?: (name: string) => boolean;
};

type Deployed = { readonly name: string; readonly template: Template };

/** Two settings of the worker: each value is another version of it. */
const changes = [{ run_pin_days: 2 }, { run_pin_days: 3 }, { run_pin_days: 4 }] as const;

/**
 * Deploys the platform into an imitation of AWS on this machine: makes it, changes a setting, fails an upgrade, tries it
 * again, runs every function, and removes it.
 */
export async function rehearse(rehearsal: Rehearsal): Promise<Rehearsed> {
  const folder = mkdtempSync(join(tmpdir(), "rehearsal-"));
  const { TMPDIR } = process.env;
  // What the synthesis links is removed with it.
  process.env.TMPDIR = folder;
  try {
    const assemblies = changes.map((change, at) =>
      synthesized(rehearsal, { ...change, ...rehearsal.context }, join(folder, `out-${at}`)),
    );
    const imitation = await startImitation(rehearsal.tools.python);
    try {
      return await playedIn(imitation, rehearsal, assemblies);
    } finally {
      await imitation.stop();
    }
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  }
}

function synthesized(
  { registry, manifest }: Rehearsal,
  context: Readonly<Record<string, unknown>>,
  outdir: string,
): readonly Deployed[] {
  process.env.CDK_VALIDATION = "false";
  const unstaged = { "aws:cdk:disable-asset-staging": true };
  const assembly = buildApp({ context: { ...unstaged, ...context }, outdir, registry, manifest }).synth();
  return assembly.stacks.map(({ stackName, template }) => ({
    name: stackName,
    template: wholeTemplate(template, outdir),
  }));
}

async function playedIn(
  imitation: Imitation,
  { tools: { client }, isRun = () => true }: Rehearsal,
  assemblies: readonly (readonly Deployed[])[],
): Promise<Rehearsed> {
  const types = new Map<string, TypeResult>();
  const stacks = new Map<string, Stack>();
  const service = [...(assemblies[0] ?? [])].at(-1)?.name ?? "";
  const steps: { step: string; went: string; isRight: boolean }[] = [];
  const cloud = cloudOf(imitation, client, types, stacks);
  const deploy = async (deployed: readonly Deployed[] = []) => {
    for (const { name, template } of deployed) {
      const stack = stacks.get(name) ?? newStack(name);
      stacks.set(name, stack);
      await deployStack(stack, template, cloud);
    }
  };
  const play = async (step: string, what: () => Promise<string>) => {
    try {
      steps.push({ step, went: await what(), isRight: true });
    } catch (error) {
      steps.push({ step, went: error instanceof Error ? error.message : String(error), isRight: false });
    }
  };
  const live = (): string => liveVersion(stacks.get(service));
  const [first, second, third] = assemblies;
  await play("create", () => deploy(first).then(() => `worker's version ${live()} is live`));
  await play("update a setting", () => deploy(second).then(() => `version ${live()} is live`));
  await play("failed update", () => failedUpdate(deploy, third ?? [], service, live));
  await play("the same update again", () => secondTry(deploy, third ?? [], imitation, stacks.get(service)));
  const functions = [...stacks.values()].flatMap((stack) => functionsOf(stack, imitation.address));
  const results: FunctionResult[] = [];
  for (const fn of functions) if (isRun(fn.name)) results.push(await tryFunction(client, fn));
  await play("delete", async () => {
    const kept: string[] = [];
    for (const stack of [...stacks.values()].toReversed()) kept.push(...(await deleteStack(stack, cloud)));
    const left = [...stacks.values()].flatMap(({ resources }) => [...resources.keys()]);
    if (left.length > 0) throw new Error(`left without being retained: ${left.join(", ")}`);
    return `${kept.length} resources are retained`;
  });
  return { moto: imitation.version, steps, types, functions: results };
}

/** An update that fails at its end, when the alias has been led to the new version. */
async function failedUpdate(
  deploy: (deployed: readonly Deployed[]) => Promise<void>,
  update: readonly Deployed[],
  service: string,
  live: () => string,
): Promise<string> {
  const before = live();
  const failing = update.map(({ name, template }) => ({
    name,
    template:
      name === service
        ? { ...template, Resources: { ...template.Resources, Failure: failureAfter(template) } }
        : template,
  }));
  const went = await deploy(failing).then(
    () => "it was no failure",
    (error: Error) => error.message,
  );
  if (went !== "a resource that no service can make") throw new Error(went);
  return `rolled back; version ${live()} is live, before it ${before}`;
}

const failureAfter = ({ Resources }: Template) => ({ Type: FAILURE, DependsOn: Object.keys(Resources) });

async function secondTry(
  deploy: (deployed: readonly Deployed[]) => Promise<void>,
  update: readonly Deployed[],
  imitation: Imitation,
  service: Stack | undefined,
): Promise<string> {
  await deploy(update);
  const live = liveVersion(service);
  const { value } = await imitation.ask({ do: "versions", function: workerOf(service) });
  const versions = Array.isArray(value) ? value.map(String) : [];
  if (!versions.includes(live))
    throw new Error(`the alias leads to ${live}, which is not there: ${versions}`);
  if (versions.at(-1) !== live)
    throw new Error(`the alias leads to ${live}, and the newest is ${versions.at(-1)}`);
  return `version ${live} is live; kept: ${versions.join(", ")}`;
}

const aliasOf = (stack: Stack | undefined) =>
  [...(stack?.resources.values() ?? [])].find(({ type }) => type === "AWS::Lambda::Alias")?.properties ?? {};
const liveVersion = (stack: Stack | undefined): string => String(aliasOf(stack).FunctionVersion);
const workerOf = (stack: Stack | undefined): string => String(aliasOf(stack).FunctionName);

function cloudOf(
  imitation: Imitation,
  client: string,
  types: Map<string, TypeResult>,
  stacks: ReadonlyMap<string, Stack>,
): Cloud {
  return {
    ask: imitation.ask,
    exports: new Map(),
    report(type, { known, refused }) {
      const result = types.get(type) ?? { accepted: 0, unknown: 0, refused: [] };
      types.set(type, result);
      if (refused !== undefined) result.refused.push(refused);
      else if (known) result.accepted += 1;
      else result.unknown += 1;
    },
    async call(request) {
      // The imitation has neither CloudFront nor routes: nothing answers at the address.
      if (request.ResourceProperties.Step === "check") return {};
      const name = String(request.ResourceProperties.ServiceToken).split(":").at(-1);
      const functions = [...stacks.values()].flatMap((stack) => functionsOf(stack, imitation.address));
      const fn = functions.find((one) => one.name === name);
      if (!fn) throw new Error(`${request.LogicalResourceId} calls ${name}, which is no function`);
      return callCustomResource(client, fn, request);
    },
  };
}
