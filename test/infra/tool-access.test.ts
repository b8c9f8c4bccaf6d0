import { describe, expect, test } from "vitest";
import { readConfig } from "../../lib/config/config.ts";
import { emptyManifest, type RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import { bundleOf, type Resource, type Synthesized, synthesized } from "./synthesized.ts";

const TABLE = "arn:aws:dynamodb:eu-central-1:123456789012:table/orders";
const OBJECTS = "arn:aws:s3:::invoices/2026/*";
const WHOLE_ARN = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:shop/maps-a1B2c3";
const manifest: RegistryManifest = {
  ...emptyManifest,
  needs: [
    {
      name: "the tool charge_card",
      secrets: ["STRIPE_KEY", "MAPS_KEY"],
      permissions: [
        { actions: ["dynamodb:GetItem", "dynamodb:Query"], resources: [TABLE] },
        { actions: ["s3:GetObject"], resources: [OBJECTS] },
      ],
    },
    {
      name: "the tool translate",
      secrets: [],
      permissions: [{ actions: ["translate:TranslateText"], resources: ["*"] }],
    },
  ],
};
const toolSecrets = { STRIPE_KEY: { secret: "shop/keys", field: "stripe" }, MAPS_KEY: WHOLE_ARN };

const app = await synthesized({ stage: "prod", model: "scripted", a2a: "true", toolSecrets }, manifest);

type Statement = { readonly Action: string | string[]; readonly Resource: string | string[] };
const list = (value: string | string[]): string[] => [value].flat();

/** Functions by the statements of their roles, among them those of policies that are too large for one. */
function statementsByFunction({ ofType }: Synthesized): Map<string, Statement[]> {
  const policies = [...ofType("AWS::IAM::Policy"), ...ofType("AWS::IAM::ManagedPolicy")];
  const of = (fn: Resource): Statement[] => {
    const role = String(fn.properties.Role).replace(/\.Arn$/, "");
    return policies
      .filter(({ properties }) => (properties.Roles ?? []).includes(role))
      .flatMap(({ properties }) => properties.PolicyDocument.Statement);
  };
  const functions = ofType("AWS::Lambda::Function").filter(({ metadata }) => metadata["aws:asset:path"]);
  return new Map(functions.map((fn) => [`${bundleOf(fn)} ${fn.properties.Handler}`, of(fn)]));
}

const statements = statementsByFunction(app);
const withRight = (action: string, resource: string): string[] =>
  [...statements]
    .filter(([, all]) =>
      all.some(({ Action, Resource }) => list(Action).includes(action) && list(Resource).includes(resource)),
    )
    .map(([name]) => name)
    .sort();

/** Every function that executes tools, and no other. */
const executing = [
  "eval-worker index.handler",
  "runs index.handler",
  "runs index.stream",
  "worker index.handler",
];

describe("what tools declare is granted to the functions that execute tools, and to no other", () => {
  test.each([
    ["dynamodb:GetItem", TABLE],
    ["dynamodb:Query", TABLE],
    ["s3:GetObject", OBJECTS],
    ["translate:TranslateText", "*"],
    ["secretsmanager:GetSecretValue", WHOLE_ARN.replace("arn:aws:", "arn:<AWS::Partition>:")],
    [
      "secretsmanager:GetSecretValue",
      "arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:shop/keys-??????",
    ],
  ])("%s on %s", (action, resource) => {
    expect(withRight(action, resource)).toEqual(executing);
  });

  test("and nothing more on these", () => {
    const more = [...statements.values()].flat().filter(({ Resource }) => list(Resource).includes(TABLE));
    for (const { Action } of more) expect(list(Action)).toEqual(["dynamodb:GetItem", "dynamodb:Query"]);
  });

  test("and only they know where the secrets are, by their names alone", () => {
    const informed = app
      .ofType("AWS::Lambda::Function")
      .filter(({ variables }) => variables.TOOL_SECRETS !== undefined);
    expect(informed.map((fn) => `${bundleOf(fn)} ${fn.properties.Handler}`).sort()).toEqual(executing);
    for (const { variables } of informed) {
      expect(JSON.parse(variables.TOOL_SECRETS ?? "")).toEqual(toolSecrets);
      expect(variables).not.toHaveProperty("TOOL_SECRET_VALUES");
    }
  });
});

describe("a configuration is refused", () => {
  const read =
    (context: Record<string, unknown>, needs = manifest.needs) =>
    () =>
      readConfig((name) => ({ model: "scripted", ...context })[name], Object.keys(context), needs);

  test("that does not say where a secret is, with the tool's name", () => {
    expect(read({ stage: "prod", toolSecrets: { MAPS_KEY: "maps" } })).toThrow(
      'toolSecrets: the tool charge_card needs STRIPE_KEY; say which secret of Secrets Manager holds it: {"STRIPE_KEY": "<name or ARN>"}',
    );
    expect(read({ stage: "local" })).not.toThrow();
  });

  test("that names a secret which no tool declares, with the nearest name", () => {
    const misspelled = { MAPS_KEY: "maps", STRIPE_KEY: "stripe", STRIPES_KEY: "stripe" };
    expect(read({ stage: "prod", toolSecrets: misspelled })).toThrow(
      "toolSecrets: no tool declares the secret STRIPES_KEY; did you mean STRIPE_KEY?",
    );
    expect(read({ stage: "prod", toolSecrets: { A_KEY: "a" } }, [])).toThrow("A_KEY; no tool declares any");
  });

  test.each([
    ["no JSON", "must be a JSON object"],
    ['{"STRIPE_KEY": "a b"}', "must be the name or the whole ARN of a secret"],
    ['{"STRIPE_KEY": "arn:aws:secretsmanager:eu-central-1:123456789012:secret:x"}', "whole ARN"],
    ['{"STRIPE_KEY": {"name": "x"}}', "must be the name or the whole ARN of a secret, or {"],
  ])("whose secrets are %s", (toolSecrets, text) => {
    expect(read({ stage: "local", toolSecrets })).toThrow(text);
  });
});

test("a source of tools that is a program is refused by its name, but on one machine", () => {
  const needs = [{ name: "the MCP server files", secrets: [], permissions: [], starts_program: true }];
  const read = (stage: string) => readConfig((name) => ({ stage })[name], ["stage"], needs);
  expect(() => read("prod")).toThrow(/tool_sources: the MCP server files is a program.*npm start/);
  expect(read("local").stage).toBe("local");
});
