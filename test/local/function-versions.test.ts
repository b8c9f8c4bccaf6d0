import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixtureCloud, installed, temporaryFolder } from "./fixture-cloud.ts";

const product = (path: string): string =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, "../..", path)).href);

const teller = (word: string) => `
export const handler = async () => ({ word: "${word}", version: process.env.AWS_LAMBDA_FUNCTION_VERSION });`;

/** Calls versions as the worker and the sweeper do, by the same code. */
const keeper = `
import { InvokeCommand, LambdaClient } from ${installed("@aws-sdk/client-lambda")};
import { connectFunctionVersions } from ${product("shared/runtime/functions/function-versions.ts")};
import { deleteOldVersions } from ${product("functions/sweeper/delete-old-versions.ts")};
const { TELLER } = process.env;
const versions = connectFunctionVersions(TELLER);
const log = { info: () => {} };
const call = async (Qualifier) => {
  const { Payload } = await new LambdaClient().send(new InvokeCommand({ FunctionName: TELLER, Qualifier }));
  return JSON.parse(Buffer.from(Payload).toString());
};
const doing = {
  call: ([version]) => call(version),
  start: ([version]) => versions.start(version, "{}"),
  live: () => versions.getAliased("live"),
  list: () => versions.list(),
  tidy: ([days]) => deleteOldVersions({ versions, log, settings: { RUN_PIN_DAYS: Number(days) } }, Date.now() / 1000),
  destroy: () => versions.delete(""),
};
export const handler = async ({ rawPath }) => {
  const [, , what, ...args] = rawPath.split("/");
  try {
    return { ok: true, result: await doing[what](args) };
  } catch (error) {
    return { ok: false, error: error.name, message: error.message };
  }
};`;

const arn = { "Fn::GetAtt": ["teller", "Arn"] };
const versionsOfTeller = { "Fn::Join": ["", [arn, ":*"]] };
const dataDir = join(temporaryFolder(), "data");
let cloud: Awaited<ReturnType<typeof fixtureCloud>>;
let replaced = 0;

beforeAll(async () => {
  const environment = { TELLER: { Ref: "teller" } };
  cloud = await fixtureCloud({
    dataDir,
    functions: {
      teller: { code: teller("first") },
      keeper: {
        code: keeper,
        environment,
        allow: [
          { actions: ["lambda:InvokeFunction", "lambda:DeleteFunction"], resource: versionsOfTeller },
          { actions: ["lambda:ListVersionsByFunction", "lambda:GetAlias"], resource: arn },
        ],
      },
      stranger: { code: keeper, environment, allow: [{ actions: ["lambda:InvokeFunction"], resource: arn }] },
    },
    routes: { "GET /keeper/{proxy+}": "keeper", "GET /stranger/{proxy+}": "stranger" },
    resources: {
      TellerLive: {
        Type: "AWS::Lambda::Alias",
        Properties: { Name: "live", FunctionName: { Ref: "teller" }, FunctionVersion: "$LATEST" },
      },
    },
  });
});
afterAll(async () => {
  await cloud.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function ask(path: string, by = "keeper"): Promise<{ ok: boolean; error?: string; result?: unknown }> {
  return JSON.parse(await (await fetch(`${cloud.url}/${by}/${path}`)).text());
}

const model = () => {
  const found = cloud.model.functions.find(({ name }) => name.endsWith("-teller"));
  if (!found) throw new Error("there is no teller");
  return found;
};

/** Replaces the function's code, as an edit under `npm run dev` does. */
async function deploy(word: string): Promise<string> {
  replaced += 1;
  const folder = join(dataDir, `bundle-${replaced}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.mjs"), teller(word));
  expect(await cloud.lambda.replace(model().file, join(folder, "index.mjs"))).toBeUndefined();
  return cloud.lambda.liveVersion(model()) ?? "";
}

test("a published function answers by any of its versions, and without one by the live one", async () => {
  const first = cloud.lambda.liveVersion(model()) ?? "";
  expect((await ask(`call/${first}`)).result).toEqual({ word: "first", version: first });
  const second = await deploy("second");
  expect((await ask("live")).result).toBe(second);
  expect((await ask(`call/${second}`)).result).toEqual({ word: "second", version: second });
  expect((await ask(`call/${first}`)).result).toEqual({ word: "first", version: first });
  expect((await ask("list")).result).toMatchObject([{ version: first }, { version: second }]);
  expect((await ask(`start/${first}`)).result).toBe(true);
  expect((await ask("start/0123456789abcdef")).result).toBe(false);
});

test("the same code is the same version, and is the newest again when it is deployed again", async () => {
  const second = cloud.lambda.liveVersion(model()) ?? "";
  const third = await deploy("third");
  expect(await deploy("second")).toBe(second);
  const { result } = await ask("list");
  expect(result).toMatchObject([{}, { version: third }, { version: second }]);
});

test("versions that were replaced long ago are deleted, the others and the live one stay", async () => {
  const [first, third, second] = cloud.lambda.versions(model()).map(({ version }) => version);
  const published = (version = "", daysAgo: number) => {
    const at = Date.now() / 1000 - daysAgo * 86_400;
    utimesSync(join(dataDir, "versions", model().name, version), at, at);
  };
  published(first, 9);
  published(third, 3);
  published(second, 1);
  expect((await ask("tidy/2")).result).toBe(1);
  expect((await ask("list")).result).toMatchObject([{ version: third }, { version: second }]);
  expect((await ask(`start/${first}`)).result).toBe(false);
  expect((await ask("tidy/2")).result).toBe(0);
});

test("a right to the function is none to its versions, and none to its versions is one to delete it", async () => {
  const live = cloud.lambda.liveVersion(model());
  expect(await ask(`start/${live}`, "stranger")).toMatchObject({
    ok: false,
    error: "AccessDeniedException",
  });
  expect(await ask("list", "stranger")).toMatchObject({ ok: false, error: "AccessDeniedException" });
  expect(await ask("destroy")).toMatchObject({ ok: false });
});
