import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Stage, SymlinkFollowMode, Token } from "aws-cdk-lib";
import { CfnFunction, Code, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { SETTINGS_FILE } from "../../shared/settings/settings-file.ts";

/** Folder with the bundles; set by what builds the app. */
export const DIST = "agent-platform:dist";
/** Set by the local platform alone, which runs bundles from their folder and makes them later. */
export const BUNDLED_LATER = "agent-platform:bundledLater";
/** Where the template says the settings of a function then: its folder is not there yet, or serves other templates too. */
export const SETTINGS_METADATA = "agent-platform:settings";
/** The CDK's own. */
const UNSTAGED = "aws:cdk:disable-asset-staging";

type Variables = Readonly<Record<string, string>>;

/** Read by a package, which knows the environment alone. */
const inEnvironment = ["POWERTOOLS_SERVICE_NAME"];

/**
 * Divides a function's variables. What is known now are its settings; names and ARNs that AWS gives at the deployment are
 * known only to CloudFormation, and are its environment.
 */
export function settledVariables(variables: Variables): {
  readonly settings: Variables;
  readonly environment: Record<string, string>;
} {
  const isSettled = ([name, value]: readonly [string, string]) =>
    !Token.isUnresolved(value) && !inEnvironment.includes(name);
  const all = Object.entries(variables);
  return {
    settings: Object.fromEntries(all.filter(isSettled)),
    environment: Object.fromEntries(all.filter((one) => !isSettled(one))),
  };
}

/**
 * Makes a function from its bundle, with its settings in a file beside it; see `shared/settings/settings-file.ts`. Functions
 * with the same bundle and the same settings share an asset, and a setting that changes makes another one.
 *
 * @param bundle  folder in `dist/`
 * @param create  is given the code, which is read before it returns
 */
export function withCode(
  scope: Construct,
  bundle: string,
  settings: Variables,
  create: (code: Code) => LambdaFunction,
): LambdaFunction {
  const built = resolve(String(scope.node.getContext(DIST)), bundle);
  if (scope.node.tryGetContext(BUNDLED_LATER)) {
    // Its digest is not part of the template, since it is bundled later.
    const fn = create(Code.fromAsset(built, { assetHash: bundle }));
    const { defaultChild } = fn.node;
    if (CfnFunction.isCfnFunction(defaultChild)) defaultChild.addMetadata(SETTINGS_METADATA, settings);
    return fn;
  }
  const folder = linked(built, Stage.of(scope)?.outdir ?? ".", bundle, settings);
  try {
    return create(Code.fromAsset(folder, { followSymlinks: SymlinkFollowMode.ALWAYS }));
  } finally {
    // The CDK has its copy now, unless the template refers to the folder itself.
    if (!scope.node.tryGetContext(UNSTAGED)) rmSync(folder, { recursive: true });
  }
}

/**
 * A folder with links to a bundle's files, which the CDK copies, and the settings: the bundle itself stays as it was built. It lies in
 * the folder of the templates, with which it goes, and the next synthesis writes it again.
 */
function linked(built: string, outdir: string, bundle: string, settings: Variables): string {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(sorted), undefined, 1);
  const folder = join(
    outdir,
    `code.${bundle}.${createHash("sha256").update(text).digest("hex").slice(0, 16)}`,
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of readdirSync(built)) linkOrCopy(join(built, name), join(folder, name));
  writeFileSync(join(folder, SETTINGS_FILE), text);
  return folder;
}

/** Windows lets an administrator alone make links. */
function linkOrCopy(from: string, to: string): void {
  try {
    symlinkSync(from, to);
  } catch {
    cpSync(from, to, { recursive: true });
  }
}
