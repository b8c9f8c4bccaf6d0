import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type Cloud, type CloudOptions, startCloud } from "../../local/cloud.ts";
import type { Template, TemplateResource } from "../../local/template/stack.ts";

/** A function written for one test: source of an ES module that exports `handler`. */
export type FixtureFunction = {
  readonly code: string;
  readonly timeoutSeconds?: number;
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly allow?: readonly { readonly actions: readonly string[]; readonly resource: unknown }[];
};

export type Fixture = {
  readonly functions: Readonly<Record<string, FixtureFunction>>;
  readonly resources?: Readonly<Record<string, TemplateResource>>;
  /** Route key → name of its function. */
  readonly routes?: Readonly<Record<string, string>>;
  /** Name of the function that authorizes every route. */
  readonly authorizer?: string;
  readonly dataDir?: string;
} & Pick<
  CloudOptions,
  "concurrency" | "perThread" | "initMs" | "keptMs" | "invoked" | "bundled" | "timersFirstFire" | "strict"
>;

/** Makes `import` of an installed package work in a module that lies in a temporary folder. */
export const installed = (name: string): string => JSON.stringify(import.meta.resolve(name));

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "local-cloud-"));

/** The address of a function that streams, for the named one. */
export const streamingUrl = (name: string): TemplateResource => ({
  Type: "AWS::Lambda::Url",
  Properties: { TargetFunctionArn: { "Fn::GetAtt": [name, "Arn"] }, InvokeMode: "RESPONSE_STREAM" },
});

/** An origin of a distribution at an attribute with an address. */
export const originAt = (Id: string, resource: string, attribute: string) => ({
  Id,
  DomainName: { "Fn::Select": [2, { "Fn::Split": ["/", { "Fn::GetAtt": [resource, attribute] }] }] },
});

/** Starts a cloud from functions and resources written by hand. */
export async function fixtureCloud(fixture: Fixture): Promise<Cloud & { readonly lines: string[] }> {
  const folder = temporaryFolder();
  const { concurrency, perThread, initMs, keptMs, invoked, bundled, timersFirstFire, strict } = fixture;
  const template: Template = { Resources: { ...resourcesOf(fixture, folder), ...fixture.resources } };
  const lines: string[] = [];
  const cloud = await startCloud({
    stacks: async () => [{ name: "fixture", assetFolder: folder, template }],
    dataDir: fixture.dataDir ?? join(folder, "data"),
    port: 0,
    ...(concurrency !== undefined && { concurrency }),
    ...(perThread !== undefined && { perThread }),
    ...(initMs !== undefined && { initMs }),
    ...(keptMs !== undefined && { keptMs }),
    ...(strict !== undefined && { strict }),
    ...(invoked !== undefined && { invoked }),
    ...(bundled !== undefined && { bundled }),
    ...(timersFirstFire !== undefined && { timersFirstFire }),
    show: (line) => lines.push(line),
  });
  return {
    ...cloud,
    lines,
    stop: async () => {
      await cloud.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function resourcesOf(
  { functions, routes = {}, authorizer }: Fixture,
  folder: string,
): Record<string, TemplateResource> {
  const resources: Record<string, TemplateResource> = {
    Api: { Type: "AWS::ApiGatewayV2::Api", Properties: {} },
  };
  for (const [name, fixture] of Object.entries(functions)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "index.mjs"), fixture.code);
    Object.assign(resources, functionResources(name, fixture));
  }
  if (authorizer) resources.Authorizer = authorizerResource(authorizer);
  for (const [index, [key, name]] of Object.entries(routes).entries()) {
    resources[`Integration${index}`] = {
      Type: "AWS::ApiGatewayV2::Integration",
      Properties: { IntegrationUri: { "Fn::GetAtt": [name, "Arn"] }, PayloadFormatVersion: "2.0" },
    };
    resources[`Route${index}`] = {
      Type: "AWS::ApiGatewayV2::Route",
      Properties: {
        RouteKey: key,
        Target: { "Fn::Join": ["", ["integrations/", { Ref: `Integration${index}` }]] },
        ...(authorizer && { AuthorizerId: { Ref: "Authorizer" } }),
      },
    };
  }
  return resources;
}

function functionResources(name: string, fixture: FixtureFunction): Record<string, TemplateResource> {
  const Statement = (fixture.allow ?? []).map(({ actions, resource }) => ({
    Effect: "Allow",
    Action: actions,
    Resource: resource,
  }));
  return {
    [`${name}Role`]: {
      Type: "AWS::IAM::Role",
      Properties: { Policies: [{ PolicyName: "inline", PolicyDocument: { Statement } }] },
    },
    [name]: {
      Type: "AWS::Lambda::Function",
      Metadata: { "aws:asset:path": name },
      Properties: {
        Handler: "index.handler",
        Role: { "Fn::GetAtt": [`${name}Role`, "Arn"] },
        Timeout: fixture.timeoutSeconds ?? 10,
        Environment: { Variables: fixture.environment ?? {} },
      },
    },
  };
}

const authorizerResource = (name: string): TemplateResource => ({
  Type: "AWS::ApiGatewayV2::Authorizer",
  Properties: {
    AuthorizerUri: {
      "Fn::Sub": [
        // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation's own placeholder
        "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${arn}/invocations",
        { arn: { "Fn::GetAtt": [name, "Arn"] } },
      ],
    },
    AuthorizerPayloadFormatVersion: "2.0",
    EnableSimpleResponses: true,
    AuthorizerResultTtlInSeconds: 0,
  },
});

/** Waits until a condition holds, at most as long as every test waits for one. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds, { interval: 10 }).toBe(true);
}
