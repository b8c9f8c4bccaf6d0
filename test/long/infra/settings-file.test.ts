import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { CfnFunction, type Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { afterAll, describe, expect, test } from "vitest";
import { readManifest } from "../../../build/project/read-manifest.ts";
import { DIST, withCode } from "../../../lib/functions/function-code.ts";
import { wholeTemplate } from "../../../lib/stacks/whole-template.ts";
import { type Cloud, startCloud } from "../../../local/cloud.ts";
import { cloudModel } from "../../../local/template/cloud-model.ts";
import type { Stack as Template } from "../../../local/template/stack.ts";
import { anIssuer } from "../../auth/an-issuer.ts";
import "../../support/bundled.ts";
import { testProject, testRegistry } from "../../support/test-registry.ts";

process.env.CDK_VALIDATION = "false";
const { buildApp } = await import("../../../bin/agent-platform.ts");

/** @source Lambda quotas: environment variables, 4 KB in aggregate */
const MOST_BYTES = 4096;

const folder = mkdtempSync(join(tmpdir(), "settings-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles of a line each, in place of a hundred megabytes: for what does not depend on what the functions do. */
const tiny = join(folder, "dist");
for (const { name } of readdirSync(testProject.dist, { withFileTypes: true }).filter((one) =>
  one.isDirectory(),
)) {
  mkdirSync(join(tiny, name), { recursive: true });
  writeFileSync(join(tiny, name, "index.mjs"), `export const handler = () => ${JSON.stringify(name)};\n`);
}

/** The templates as they are deployed: with a copy of each function's code. */
function staged(context: Readonly<Record<string, unknown>>, dist = tiny): readonly Template[] {
  const outdir = mkdtempSync(join(folder, "cdk.out-"));
  const manifest = readManifest(testProject.dist);
  const { stacks } = buildApp({ context, outdir, registry: testRegistry, dist, manifest }).synth();
  return stacks.map(({ stackName, template }) => ({
    name: stackName,
    assetFolder: outdir,
    template: wholeTemplate(template, outdir),
  }));
}

const functionsIn = (stacks: readonly Template[]) =>
  new Map(cloudModel(stacks, "http://127.0.0.1:9").functions.map((fn) => [fn.label, fn]));

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

const keys = await Promise.all(names(10, "key").map((kid) => anIssuer("RS256", kid)));
const keySet = join(folder, "keys.json");
writeFileSync(keySet, JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
const bases = names(50, "base").map((name) => ({
  name,
  description: `What ${name} is about`,
  sources: [
    { id: `${name}-files`, type: "s3", bucket: `${name}-bucket`, prefix: "texts/" },
    { id: `${name}-code`, type: "github", repo: `example/${name}`, secret: `sources/${name}` },
  ],
}));
const large = {
  stage: "prod",
  model: "scripted",
  embedder: "local",
  vectorStore: "dynamodb",
  a2a: "true",
  jwtIssuers: [{ issuer: "https://id.example", jwks_file: keySet }],
  knowledgeBases: bases,
};
const stacks = staged({ ...large, userPool: "true" }, testProject.dist);
const functions = functionsIn(stacks);

describe("a key set of ten keys and fifty knowledge bases with two sources each", () => {
  test("leave every function's environment small enough for Lambda", () => {
    const tooLarge = [...functions.values()].filter(
      ({ environment }) => Buffer.byteLength(JSON.stringify(environment)) > MOST_BYTES,
    );
    expect(functions.size).toBeGreaterThan(30);
    expect(tooLarge.map(({ label }) => label)).toEqual([]);
  });

  test("lie beside the code of the functions that read them, and of no other", () => {
    const worker = functions.get("Worker");
    expect(JSON.parse(worker?.settings.KNOWLEDGE_BASES ?? "")).toHaveLength(50);
    expect(worker?.environment).not.toHaveProperty("KNOWLEDGE_BASES");
    const issuers = JSON.parse(functions.get("RunsStream")?.settings.JWT_ISSUERS ?? "");
    expect(issuers[0].jwks.keys).toHaveLength(10);
    expect(functions.get("Sweeper")?.settings).not.toHaveProperty("KNOWLEDGE_BASES");
    expect(functions.get("Console")?.settings).not.toHaveProperty("JWT_ISSUERS");
  });

  test("are what a platform of this template works with", async () => {
    const cloud = await startCloud({ stacks: async () => stacks, dataDir: join(folder, "data"), port: 0 });
    try {
      const scopes = ["config:read", "knowledge:read", "agents:read"];
      const claims = { iss: "https://id.example", sub: "maria", scopes, exp: Date.now() / 1000 + 600 };
      const answers = await Promise.all(
        keys.map(async ({ sign }) => get(cloud, "/config", await sign(claims))),
      );
      expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
      const served = JSON.stringify(await answers.at(-1)?.json());
      for (const { name } of bases) expect(served).toContain(`"${name}"`);
      const stranger = await anIssuer("RS256", "key-3");
      expect((await get(cloud, "/config", await stranger.sign(claims))).status).toBe(401);
    } finally {
      await cloud.stop();
    }
  });
});

const get = (cloud: Cloud, path: string, token: string) =>
  fetch(`${cloud.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

const assetsOf = (stacks: readonly Template[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    stacks.flatMap(({ template }) =>
      Object.entries(template.Resources ?? {}).flatMap(([id, { Type, Metadata }]) =>
        Type === "AWS::Lambda::Function"
          ? [[id.replace(/[0-9A-F]{8}$/, ""), Metadata?.["aws:asset:path"]]]
          : [],
      ),
    ),
  );
/** What a deployment publishes as a version. */
const versionsOf = (stacks: readonly Template[]): string[] =>
  stacks.flatMap(({ template }) =>
    Object.values(template.Resources ?? {}).flatMap(({ Type, Properties }) =>
      Type === "AWS::CloudFormation::CustomResource" && Properties?.Step === "publish"
        ? [String(Properties.Content)]
        : [],
    ),
  );

describe("the code of a function", () => {
  const small = { stage: "prod", model: "scripted", jwtIssuers: [{ issuer: "x", jwks_uri: "https://x/k" }] };
  const before = staged(small);

  test("stays the same asset as long as neither code nor settings change", () => {
    expect(assetsOf(staged(small))).toEqual(assetsOf(before));
  });

  test("is another asset, and the worker another version, when a setting changes that it reads", () => {
    const after = staged({ ...small, slice_seconds: 60 });
    const was = assetsOf(before);
    const changed = Object.entries(assetsOf(after)).filter(([id, path]) => was[id] !== path);
    expect(changed.map(([id]) => id)).toEqual(["Worker"]);
    expect(versionsOf(before)).toHaveLength(1);
    expect(versionsOf(after)).not.toEqual(versionsOf(before));
  });

  test("is one asset for two functions of one bundle whose settings are the same, and two where they are not", () => {
    const { Runs, RunsStream, A2a } = assetsOf(staged({ ...small, a2a: "true" }));
    expect(Runs).toBe(RunsStream);
    expect(A2a).not.toBe(Runs);
  });

  test("is another asset for each of two functions of one bundle with different settings", () => {
    const stack = new Stack(new App({ outdir: mkdtempSync(join(folder, "cdk.out-")) }), "Stack");
    stack.node.setContext(DIST, tiny);
    const [one, other] = ["1", "2"].map((LIMIT) => {
      const create = (code: Code) =>
        new LambdaFunction(stack, `Fn${LIMIT}`, {
          code,
          handler: "index.handler",
          runtime: Runtime.NODEJS_24_X,
        });
      return withCode(stack, "sweeper", { LIMIT }, create);
    });
    const keyOf = (fn: LambdaFunction | undefined) => stack.resolve(Object(fn?.node.defaultChild).code).s3Key;
    expect(keyOf(one)).toMatch(/^[0-9a-f]{64}\.zip$/);
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  test("has nothing beside the bundle but the settings, as text by name", () => {
    const code = join(before[0]?.assetFolder ?? "", String(assetsOf(before).Worker));
    const files = readdirSync(code);
    expect(files).toEqual(expect.arrayContaining(["index.mjs", "settings.json"]));
    const settings = JSON.parse(readFileSync(join(code, "settings.json"), "utf8"));
    for (const value of Object.values(settings)) expect(value).toEqual(expect.any(String));
    expect(Object.keys(settings).filter((name) => /KEY$|TOKEN$|PASSWORD/.test(name))).toEqual([]);
    expect(JSON.stringify(settings)).not.toMatch(/\$\{Token|arn:aws/);
  });
});

describe("an environment that Lambda would refuse", () => {
  const unbuilt = (stage: string) =>
    buildApp({
      context: { stage, model: "scripted", userPool: "true", a2a: "true" },
      outdir: mkdtempSync(join(folder, "cdk.out-")),
      registry: testRegistry,
      dist: tiny,
      manifest: readManifest(testProject.dist),
    });

  test("fails the synthesis, which names the function, its largest variables and their bytes", () => {
    const app = unbuilt("prod");
    const worker = app.node.findAll().find(({ node }) => node.path.endsWith("/Service/Worker/Resource"));
    if (!CfnFunction.isCfnFunction(worker)) throw new Error("there is no worker");
    worker.environment = { variables: { SMALL: "s", LARGE: "x".repeat(3_000), LARGER: "y".repeat(4_000) } };
    expect(() => app.synth()).toThrow(
      /the environment of Worker may have 70\d\d bytes, and Lambda takes 4096; the largest: LARGER \(40\d\d\), LARGE \(30\d\d\)/,
    );
  });

  test("is that of no function, also on a stage with the longest name", () => {
    expect(() => unbuilt("a".repeat(20)).synth()).not.toThrow();
  });
});
