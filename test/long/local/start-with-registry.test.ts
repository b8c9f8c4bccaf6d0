import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { explainStartupError } from "../../../local/explain-startup-error.ts";
import { startPlatform } from "../../../local/platform.ts";
import { toolSecretsIn, withEnvFiles } from "../../../local/template/tool-secrets.ts";
import "../../support/bundled.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";

/** A start with a registry that is refused, or lacks a secret, as `npm start` does it. */
const root = join(import.meta.dirname, "../../..");
const rights = join(root, "test/support/rights-registry/index.ts");
const folder = temporaryFolder();
mkdirSync(join(root, ".local"), { recursive: true });
const home = mkdtempSync(join(root, ".local/start-"));
afterAll(() => {
  for (const one of [folder, home]) rmSync(one, { recursive: true, force: true, maxRetries: 10 });
});

const why = async (registry: string): Promise<string> => {
  const dataDir = join(folder, crypto.randomUUID());
  const error = await startPlatform({ registry, dataDir, port: 0, environment: {} }).then(
    () => "it started",
    (thrown: unknown) => explainStartupError(thrown, dataDir),
  );
  return String(error);
};

test("a tool's secret that is nowhere stops the start, with the tool's name and what to do", async () => {
  const text = await why(rights);
  expect(text).toContain("the tool charge_card needs the secret STRIPE_KEY, and it is not set.");
  expect(text).toContain("the tool where_is needs the secret MAPS_KEY");
  expect(text).toContain(`Set them in the environment, or in ${join(root, ".env")}: a line such as `);
});

describe("a registry that throws", () => {
  const registry = join(home, "registry.ts");
  writeFileSync(join(home, "package.json"), '{"type":"module"}');
  writeFileSync(join(home, "prices.ts"), 'export const prices = JSON.parse("{");\n');
  writeFileSync(registry, `import { prices } from "./prices.ts";\nexport const registry = prices;\n`);

  test("stops the start with its own place", async () => {
    expect(await why(registry)).toMatch(
      /^prices\.ts:1:\d+: the registry cannot be loaded: SyntaxError: [^\n]*$/,
    );
  });

  test("stops the build, and what synthesizes, with a sentence and no stack of the platform's", async () => {
    const script = `import { ensureBuilt, orExplain } from ${JSON.stringify(join(root, "build/bundles/index.ts"))};
      await orExplain(() => ensureBuilt({ registry: ${JSON.stringify(registry)} }));`;
    const built = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd: root });
    await expect(built).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^prices\.ts:1:\d+: the registry cannot be loaded: SyntaxError: [^\n]*\n$/,
      ),
    });
  });
});

describe(".env", () => {
  test("gives keys and secrets that the environment does not have, and no settings", () => {
    writeFileSync(
      join(home, ".env"),
      'STRIPE_KEY="from the file"\nMAPS_KEY=from the file\nOPENAI_API_KEY=from the file\nPORT=1\nMODEL=openai:x\n',
    );
    expect(withEnvFiles({ MAPS_KEY: "set", STRIPE_KEY: "", PORT: "2" }, home)).toEqual({
      STRIPE_KEY: "from the file",
      MAPS_KEY: "set",
      OPENAI_API_KEY: "from the file",
      PORT: "2",
    });
    expect(withEnvFiles({ A: "1" }, folder)).toEqual({ A: "1" });
  });

  test("and environment give a tool what is not in Secrets Manager, and no more", () => {
    const needs = [{ name: "the tool a", secrets: ["A_KEY", "B_KEY"], permissions: [] }];
    const environment = { A_KEY: "a", B_KEY: "b", C_KEY: "c" };
    expect(toolSecretsIn(environment, needs, ["B_KEY"], home)).toEqual({ A_KEY: "a" });
  });
});
