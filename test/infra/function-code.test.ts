import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DIST, withCode } from "../../lib/functions/function-code.ts";
import { SETTINGS_FILE } from "../../shared/settings/settings-file.ts";

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "function-code-"));
  for (const name of ["dist", "dist/one", "tmp"]) mkdirSync(at(name));
  writeFileSync(at("dist/one/index.mjs"), "export const handler = () => 1;");
  vi.stubEnv("TMPDIR", at("tmp"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** @returns where the template says that the code is */
function synthesize(outdir: string, context: object): string {
  const options = { outdir: at(outdir), analyticsReporting: false, treeMetadata: false };
  const app = new App({
    ...options,
    context: { [DIST]: at("dist"), "aws:cdk:enable-asset-metadata": true, ...context },
  });
  const stack = new Stack(app, "Stack");
  withCode(stack, "one", { GREETING: "Hello" }, (code) => {
    const common = { runtime: Runtime.NODEJS_24_X, handler: "index.handler" };
    return new LambdaFunction(stack, "Function", { ...common, code });
  });
  const [fn] = Object.values(Template.fromStack(stack).findResources("AWS::Lambda::Function"));
  return fn?.Metadata["aws:asset:path"];
}

const foldersIn = (outdir: string) =>
  readdirSync(at(outdir), { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));

test("code that a template refers to lies beside it, in one place however often it is made", () => {
  const context = { "aws:cdk:disable-asset-staging": true };
  const path = synthesize("unstaged", context);
  expect(synthesize("unstaged", context)).toBe(path);
  expect(foldersIn("unstaged")).toHaveLength(1);
  const code = resolve(at("unstaged"), path);
  expect(code.startsWith(at("unstaged"))).toBe(true);
  expect(readdirSync(code).sort()).toEqual(["index.mjs", SETTINGS_FILE].sort());
  expect(JSON.parse(readFileSync(join(code, SETTINGS_FILE), "utf8"))).toEqual({ GREETING: "Hello" });
  expect(readdirSync(at("tmp"))).toEqual([]);
});

test("code that the CDK copies leaves nothing but the copy", () => {
  synthesize("staged", {});
  expect(foldersIn("staged")).toEqual([expect.stringMatching(/^asset\./)]);
  expect(readdirSync(at("tmp"))).toEqual([]);
});
