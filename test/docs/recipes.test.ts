import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { readConfig } from "../../lib/config/config.ts";
import { outsideKeys } from "../../local/template/app-context.ts";
import { misspelledVariables } from "../../local/template/check-environment.ts";
import { otlpHeaders } from "../../shared/tracing/otlp-headers.ts";

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "docs/guide/recipes.md"), "utf8");
const blocks = [...text.matchAll(/```text\n(.*?)```/gs)].map(([, block = ""]) => block);
const blockWith = (part: string): string => blocks.find((block) => block.includes(part)) ?? "";

/** What an object literal of a block is; what it leaves out is filled in. */
const literalOf = (literal: string, variables: Readonly<Record<string, string>> = {}): unknown =>
  new Function(
    "process",
    `return ${literal.replaceAll("…", "example.com").replace("{ example.com }", "{}")}`,
  )({
    env: variables,
  });
const accepted = (stage: string, settings: object) => {
  const given: Readonly<Record<string, unknown>> = { stage, jwtIssuers: "[]", ...settings };
  return readConfig((name) => given[name], Object.keys(given));
};

test("the headers of each service's row are read as such", async () => {
  const rows = [...text.matchAll(/^\| [^|]+\| `https?:[^|]+\| `(\{.*\})` +\|$/gm)].map(
    ([, json = ""]) => json,
  );
  expect(rows.length).toBeGreaterThanOrEqual(2);
  for (const json of rows) expect(Object.keys(await otlpHeaders(async () => json)())).not.toEqual([]);
});

test("the variables of this machine are known, and their headers stay out of the settings", () => {
  const variables = parseEnv(blockWith("OTLP_HEADERS="));
  expect(misspelledVariables(variables, [])).toEqual([]);
  const { spans } = outsideKeys(variables);
  expect(JSON.parse(spans.OTLP_HEADERS ?? "")).toEqual({
    Authorization: expect.stringMatching(/^Basic /),
    "x-langfuse-ingestion-version": "4",
  });
  expect(accepted("dev", { otlpEndpoints: variables.OTLP_ENDPOINTS }).otlpEndpoints).toHaveLength(1);
});

test("the settings of the deployed export are accepted", () => {
  const [, stages = ""] = /^stages: (.*)$/m.exec(blockWith("otlpHeadersSecret")) ?? [];
  const { prod } = literalOf(`(${stages})`) as { readonly prod: object };
  expect(accepted("prod", prod)).toMatchObject({ tracing: "on", otlpHeadersSecret: "otlp/prod" });
});

test("a preview is a stage of its own where a pull request has a number, and no stage elsewhere", () => {
  const block = blockWith("const preview").replace("export default defineConfig(", "return (");
  const [first = "", rest = ""] = block.split("\nreturn ");
  const stagesFor = (variables: Readonly<Record<string, string>>) =>
    literalOf(`(() => { ${first}\nreturn ${rest} })()`, variables) as {
      readonly stages: Readonly<Record<string, object>>;
    };
  const { stages } = stagesFor({ NUMBER: "17" });
  expect(Object.keys(stages)).toEqual(["pr-17", "prod"]);
  expect(accepted("pr-17", stages["pr-17"] ?? {}).model).toBe("scripted");
  expect(Object.keys(stagesFor({}).stages)).toEqual(["prod"]);
});
