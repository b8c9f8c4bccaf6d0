import { existsSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { SETTINGS_FILE, settingsOfCode } from "../../shared/settings/settings-file.ts";
import type { Statement } from "../iam/policy.ts";
import { roleStatements } from "../iam/role-statements.ts";
import { isInspected, WHILE_INSPECTED_MS } from "../machine/inspected.ts";
import { StartupError } from "../startup-error.ts";
import type { Resource } from "./stack.ts";

export type FunctionModel = {
  readonly name: string;
  readonly arn: string;
  /** Logical name in the template, short enough for a log line. */
  readonly label: string;
  /** The module of the handler, and the handler's export name. */
  readonly file: string;
  readonly exportName: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What is deployed with its code; the environment wins. */
  readonly settings: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Invocations at a time that are reserved for it, and that it may not exceed. */
  readonly reservedConcurrency?: number | undefined;
  readonly statements: readonly Statement[];
  /** Where its log goes. */
  readonly logGroup: string;
  /** Whether it is published: its versions can be invoked after they are replaced. */
  readonly isPublished: boolean;
};

const LambdaFunction = v.object({
  Handler: v.string(),
  Role: v.string(),
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  ReservedConcurrentExecutions: v.optional(v.number()),
  LoggingConfig: v.optional(v.object({ LogGroup: v.optional(v.string()) })),
  Environment: v.optional(
    v.object({ Variables: v.optional(v.record(v.string(), v.pipe(v.unknown(), v.transform(String))), {}) }),
    {},
  ),
});

/** Every function whose code is a folder on this machine. CDK's own helper functions (inline code) are left out. */
export function functionModels(resources: readonly Resource[]): FunctionModel[] {
  const published = new Set(
    resources
      .filter(({ type }) => type === "AWS::Lambda::Alias")
      .map(({ properties }) => properties.FunctionName),
  );
  return resources.flatMap((resource) => {
    if (resource.type !== "AWS::Lambda::Function" || !resource.assetPath) return [];
    const parsed = v.parse(LambdaFunction, resource.properties);
    const { Handler, Role, Timeout, MemorySize, Environment, LoggingConfig } = parsed;
    const [module = "", exportName = ""] = Handler.split(".");
    return [
      {
        name: resource.name,
        arn: resource.arn,
        label: resource.id.replace(/[0-9A-F]{8}$/, ""),
        file: moduleFile(resource.assetPath, module),
        exportName,
        environment: Environment.Variables,
        settings: settingsOf(resource.settings, resource.assetPath),
        timeoutMs: isInspected() ? WHILE_INSPECTED_MS : Timeout * 1000,
        memoryMb: MemorySize,
        reservedConcurrency: parsed.ReservedConcurrentExecutions,
        statements: roleStatements(Role, resources),
        logGroup: LoggingConfig?.LogGroup ?? `/aws/lambda/${resource.name}`,
        isPublished: published.has(resource.name),
      },
    ];
  });
}

const Settings = v.record(v.string(), v.string());

/** A function's settings are beside its code. Where that is bundled later, and is the code of other platforms too, they are in the template. */
function settingsOf(inTemplate: unknown, folder: string): Readonly<Record<string, string>> {
  if (inTemplate !== undefined) return v.parse(Settings, inTemplate);
  return existsSync(join(folder, SETTINGS_FILE)) ? settingsOfCode(folder) : {};
}

function moduleFile(folder: string, module: string): string {
  const file = [".mjs", ".js", ".cjs"]
    .map((end) => join(folder, module + end))
    .find((path) => existsSync(path));
  if (file) return file;
  if (!existsSync(folder)) throw new StartupError(`There is no folder ${folder}. Run "npm run build".`);
  // Not bundled yet.
  return join(folder, `${module}.mjs`);
}

/** The function that an ARN, an invocation URI of API Gateway or a name refers to, with or without a qualifier. */
export function functionNamed(functions: readonly FunctionModel[], reference: string): FunctionModel {
  const name = /:function:([\w-]+)/.exec(reference)?.[1] ?? reference.replace(/:[\w$-]+$/, "");
  const found = functions.find((candidate) => candidate.name === name);
  if (!found)
    throw new StartupError(
      `The template refers to the function ${reference}, which has no code on this machine.`,
    );
  return found;
}
