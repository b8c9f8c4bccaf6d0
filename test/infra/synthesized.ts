import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { CloudAssembly } from "aws-cdk-lib/cx-api";
import { BUNDLED_LATER, SETTINGS_METADATA } from "../../lib/functions/function-code.ts";
import { wholeTemplate } from "../../lib/stacks/whole-template.ts";
import type { Stack } from "../../local/template/stack.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import "../support/bundled.ts";
import { testRegistry } from "../support/test-registry.ts";

export type Resource = {
  readonly id: string;
  /** Name of its stack. */
  readonly stack: string;
  readonly type: string;
  /** Every reference is a text: `<LogicalId>` or `<LogicalId>.Attribute`. */
  // biome-ignore lint/suspicious/noExplicitAny: a template is as deep and as loose as CloudFormation; tests say what they expect of it
  readonly properties: any;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Of a function: its environment, and the settings that are deployed with its code. */
  readonly variables: Readonly<Record<string, string>>;
  /** What becomes of it when it leaves its stack; CloudFormation deletes it where nothing is said. */
  readonly removal: "Delete" | "Retain" | "RetainExceptOnCreate";
};

/** Gone when the process ends: a test may read what lies there until then. */
const folder = mkdtempSync(join(tmpdir(), "agent-platform-infra-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

export type Synthesized = {
  /** As the local platform reads them. */
  readonly stacks: readonly Stack[];
  readonly resources: readonly Resource[];
  readonly ofType: (type: string) => readonly Resource[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  /** What the synthesis reports as well. */
  readonly infos: readonly string[];
};

/** The templates of the whole app, read as one. @param manifest  what the registry declares; that of the tests' registry when absent */
export async function synthesized(
  context: Record<string, unknown> = {},
  manifest?: RegistryManifest,
): Promise<Synthesized> {
  // The rules of the command line have a gate of their own, and take seconds.
  process.env.CDK_VALIDATION = "false";
  const { buildApp } = await import("../../bin/agent-platform.ts");
  const outdir = mkdtempSync(join(folder, "cdk.out-"));
  // As the local platform has it: the code stays where it is built, and the settings are in the template.
  const unstaged = { "aws:cdk:disable-asset-staging": true, [BUNDLED_LATER]: true };
  const assembly = buildApp({
    context: { ...unstaged, ...context },
    outdir,
    registry: testRegistry,
    manifest,
  }).synth();
  const stacks = assembly.stacks.map(({ stackName, template, messages }) => ({
    stackName,
    messages,
    template: wholeTemplate(template, outdir),
  }));
  const resources = stacks.flatMap(({ template, stackName }) =>
    Object.entries<Record<string, Record<string, unknown>>>(template.Resources).map(([id, resource]) => ({
      id,
      stack: stackName,
      type: String(resource.Type),
      properties: flat(resource.Properties ?? {}),
      metadata: resource.Metadata ?? {},
      variables: variablesOf(resource),
      removal: removalOf(resource.DeletionPolicy),
    })),
  );
  return {
    stacks: stacks.map(({ stackName, template }) => ({ name: stackName, assetFolder: outdir, template })),
    resources,
    ofType: (type) => resources.filter((resource) => resource.type === type),
    outputs: Object.assign({}, ...stacks.map(({ template }) => flat(template.Outputs ?? {}))),
    warnings: messagesOf(stacks, "warning"),
    infos: messagesOf(stacks, "info"),
  };
}

const messagesOf = (
  stacks: readonly Pick<CloudAssembly["stacks"][number], "messages">[],
  wanted: "warning" | "info",
): string[] =>
  stacks.flatMap(({ messages }) =>
    messages.filter(({ level }) => level === wanted).map(({ entry }) => String(entry.data)),
  );

// biome-ignore lint/suspicious/noExplicitAny: a resource of a template
const variablesOf = ({ Properties, Metadata }: Record<string, any>): Readonly<Record<string, string>> => ({
  ...Metadata?.[SETTINGS_METADATA],
  ...Object(flat(Properties?.Environment?.Variables ?? {})),
});

const removalOf = (policy: unknown): Resource["removal"] =>
  policy === "Retain" || policy === "RetainExceptOnCreate" ? policy : "Delete";

/** Writes every intrinsic function as the text it stands for. */
function flat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flat);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [[key = "", argument] = []] = entries;
  if (entries.length === 1 && key === "Ref") return `<${argument}>`;
  if (entries.length === 1 && key.startsWith("Fn::")) return call(key, flat(argument));
  return Object.fromEntries(entries.map(([name, entry]) => [name, flat(entry)]));
}

function call(name: string, argument: unknown): string {
  if (name === "Fn::Join" && Array.isArray(argument)) return argument[1].join(argument[0]);
  if (name === "Fn::GetAtt" && Array.isArray(argument)) return `<${argument[0]}>.${argument[1]}`;
  // `Data:ExportsOutputFnGetAttJobs…` names the table it comes from.
  if (name === "Fn::ImportValue") return `<import ${argument}>`;
  return `<${name} ${JSON.stringify(argument)}>`;
}

/** Folder of a function's code: the name it has in `functions/`. */
export const bundleOf = (fn: Resource): string => basename(String(fn.metadata["aws:asset:path"]));
