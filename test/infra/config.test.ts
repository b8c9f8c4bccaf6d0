import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../lib/config/config.ts";
import { runs } from "../../shared/settings/rows/runs.ts";
import { defaultOn } from "../../shared/settings/setting.ts";
import { anIssuer } from "../auth/an-issuer.ts";

const read = (context: Record<string, unknown> = {}) =>
  readConfig((name) => context[name], Object.keys(context));

describe("the configuration", () => {
  test("has a default for everything, and the settings' own defaults", () => {
    expect(read()).toMatchObject({ stage: "dev", disposable: true, jwtIssuers: [], queueEnabled: "true" });
    const config = read({ stage: "prod" });
    const texts: Readonly<Record<string, string | undefined>> = config.environment;
    for (const row of Object.values(runs)) expect(texts[row.variable]).toBe(defaultOn(row, "prod"));
  });

  test("picks the scripted model on a local stage and a real one on any other", () => {
    expect(read({ stage: "local" }).model).toBe("scripted");
    expect(read({ stage: "prod" }).model).toMatch(/^amazon-bedrock:/);
  });

  test("traces runs while one develops, and elsewhere only where it is switched on", () => {
    expect(["local", "dev", "test", "prod"].map((stage) => read({ stage }).tracing)).toEqual([
      "on",
      "on",
      "off",
      "off",
    ]);
    expect(read({ stage: "prod", tracing: "on" }).tracing).toBe("on");
    expect(read({ stage: "dev", tracing: "off" }).tracing).toBe("off");
  });

  test("keeps ended jobs visible for a week while one develops, and elsewhere for a day", () => {
    const retention = (context: Record<string, string>) => read(context).environment.JOB_RETENTION_SECONDS;
    expect(["local", "dev", "test", "prod"].map((stage) => retention({ stage }))).toEqual([
      "604800",
      "604800",
      "86400",
      "86400",
    ]);
    expect(retention({ stage: "dev", job_retention_seconds: "3600" })).toBe("3600");
  });

  test("limits what a day may cost and how much is streamed at once, except while one develops", () => {
    const limits = (context: Record<string, string>) => {
      const { DAILY_COST_PER_USER, DAILY_COST_PER_DEPLOYMENT, MAX_FOREGROUND, UNAUTHENTICATED_PER_MINUTE } =
        read(context).environment;
      return [DAILY_COST_PER_USER, DAILY_COST_PER_DEPLOYMENT, MAX_FOREGROUND, UNAUTHENTICATED_PER_MINUTE];
    };
    for (const stage of ["local", "dev"]) expect(limits({ stage })).toEqual(["0", "0", "0", "0"]);
    for (const stage of ["test", "prod"]) expect(limits({ stage })).toEqual(["20", "200", "500", "60"]);
    expect(limits({ stage: "prod", daily_cost_per_user: "0" })[0]).toBe("0");
  });

  test("refuses a name that is not read, with the one that it may mean", () => {
    expect(() => read({ maxAttempts: "3" })).toThrow("maxAttempts is no setting; did you mean max_attempts?");
    expect(() => read({ jwtIssuer: "[]", tracng: "on" })).toThrow(/jwtIssuers\?.*did you mean tracing/);
    expect(() =>
      read({ "@aws-cdk/core:checkSecretUsage": true, "availability-zones:account=1": [] }),
    ).not.toThrow();
  });

  test("keeps the data of every stage but dev and local", () => {
    expect(["local", "dev", "test", "prod"].map((stage) => read({ stage }).disposable)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("knows the service by its domain, unless it is known by another address", () => {
    const named = {
      domainName: "agents.example.com",
      certificateArn: "arn:aws:acm:us-east-1:1:certificate/x",
    };
    expect(read(named).publicUrl).toBe("https://agents.example.com");
    expect(read({ ...named, publicUrl: "https://front.example" }).publicUrl).toBe("https://front.example");
    expect(read().publicUrl).toBeUndefined();
  });

  test("takes issuers as JSON text or as they are, and origins as a list or as text", () => {
    const issuers = [{ issuer: "https://id.example", jwks_uri: "https://id.example/keys" }];
    for (const jwtIssuers of [issuers, JSON.stringify(issuers)]) {
      const config = read({ jwtIssuers });
      expect(config.jwtIssuers).toMatchObject(issuers);
      expect(config.environment.JWT_ISSUERS).toBe(JSON.stringify(issuers));
    }
    const { environment } = read({ corsAllowedOrigins: ["https://a", "https://b"] });
    expect(environment.CORS_ALLOWED_ORIGINS).toBe("https://a,https://b");
  });

  test("puts a key set that lies in a file into its issuer's entry", async () => {
    const folder = mkdtempSync(join(tmpdir(), "jwks-"));
    try {
      const file = join(folder, "jwks.json");
      const { jwk } = await anIssuer();
      writeFileSync(file, JSON.stringify({ keys: [jwk] }));
      const other = { issuer: "y", jwks_uri: "https://y.example/keys" };
      const { environment } = read({ jwtIssuers: [{ issuer: "x", jwks_file: file }, other] });
      expect(JSON.parse(environment.JWT_ISSUERS)).toEqual([{ issuer: "x", jwks: { keys: [jwk] } }, other]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.each([
    [{ stage: "Prod!" }, /stage/],
    [{ adminScope: "" }, /adminScope: must be a scope/],
    [
      { scopeMappings: { "DELETE /memory/*": ["shop:wipe"] } },
      /scopeMappings: .*"DELETE \/memory\/\*" is no route; the nearest is "DELETE \/memories\/\{memory_id\}"/,
    ],
    [{ scopeMappings: { "POST /a2a/message/send": [] }, a2aPrefix: "/agents-of-shop" }, /is no route/],
    [{ model: "gpt-5" }, /model: must be scripted, or <provider>:<id>/],
    [{ model: "openai:" }, /model/],
    [{ model: "openai-compatible:llama" }, /modelBaseUrl/],
    [{ judgeModel: "gpt-5" }, /judgeModel: must be scripted, or <provider>:<id>/],
    [{ modelBaseUrl: "nowhere" }, /modelBaseUrl: must be a URL/],
    [{ modelProviders: '{"mistral": {}}' }, /modelProviders: .*mistral/],
    [{ modelProviders: { openai: { apiKey: "sk-1" } } }, /modelProviders: .*openai.apiKey/],
    [{ modelProviders: { anthropic: { apiKeySecret: "no such name!" } } }, /must be the name of a secret/],
    [
      { model: "openai:gpt-5", modelApiKeySecret: "models/a", modelProviders: { openai: {} } },
      /modelProviders: .*give them once/,
    ],
    [{ model: "openai:gpt-5" }, /modelApiKeySecret: openai does not answer without a key/],
    [
      { model: "anthropic:claude-sonnet-5-5", modelProviders: { openai: {} } },
      /modelApiKeySecret: anthropic/,
    ],
    [{ model: "openai:gpt-5", modelProviders: { openai: {} } }, /modelProviders: openai .* apiKeySecret/],
    [{ judgeModel: "openai:gpt-5" }, /modelProviders: openai .* apiKeySecret/],
    [{ embedder: "openai:text-embedding-3-small" }, /embedderApiKeySecret: openai/],
    [{ modelPrices: '{"openai:gpt-5": 3}' }, /modelPrices: openai:gpt-5: must be prices of a model/],
    [{ modelPrices: "cheap" }, /modelPrices: must be a JSON object of prices by model/],
    [{ jwtIssuers: "{}" }, /jwtIssuers: must be a JSON array/],
    [{ jwtIssuers: "nonsense" }, /jwtIssuers/],
    // The authorizer would not start with them, and every request would be answered with 500.
    [
      { jwtIssuers: [{ issuer: "https://id.example" }] },
      /jwtIssuers: 0: needs jwks_uri, jwks or public_keys/,
    ],
    [{ jwtIssuers: "[1]" }, /jwtIssuers: 0: /],
    [{ jwtIssuers: [{}] }, /jwtIssuers: 0: needs/],
    [{ jwtIssuers: [{ jwks_uri: "http://id.example/keys" }] }, /jwtIssuers: 0.jwks_uri: must be an https/],
    [{ jwtIssuers: [{ jwks_uri: "https://x", audiences: [] }] }, /jwtIssuers: 0.audiences: /],
    [{ jwtIssuers: [{ public_keys: ["no key"] }] }, /jwtIssuers: 0: a key cannot be read/],
    [{ jwtIssuers: [{ jwks: { keys: [{ kty: "RSA" }] } }] }, /jwtIssuers: 0: a key cannot be read/],
    [{ model: "scripted", knowledgeBases: [{ name: "" }] }, /knowledgeBases: 0.name: /],
    [{ scopeMappings: "[]" }, /scopeMappings: must be a JSON object/],
    [{ scopeMappings: { "/config": [] } }, /scopeMappings/],
    [{ scopeMappings: { "GET /config": "config:read" } }, /scopeMappings/],
    [{ serviceAccountCacheSeconds: "301" }, /serviceAccountCacheSeconds: must be at most 300/],
    [{ requestsPerMinute: "-1" }, /requestsPerMinute/],
    [{ requestsPerSecond: "0" }, /requestsPerSecond/],
    [{ userPool: "perhaps" }, /userPool: must be true or false/],
    [{ jwtIssuers: [{ jwks_file: "/no/such/file.json" }] }, /jwtIssuers: .*no such file/],
    [{ console: "yes" }, /console: must be on or off/],
    [{ consoleIssuer: "https://id.example" }, /consoleIssuer and consoleClientId: one needs the other/],
    [{ consoleClientId: "console" }, /consoleIssuer and consoleClientId: one needs the other/],
    [
      { consoleIssuer: "http://id.example", consoleClientId: "c" },
      /consoleIssuer: must be the https address/,
    ],
    [{ consoleIssuer: "id.example", consoleClientId: "c" }, /consoleIssuer: must be the https address/],
    [{ consoleColour: "pink" }, /consoleColour: must be green or blue or yellow or red/],
    [{ consoleName: "x".repeat(41) }, /consoleName: must have at most 40 characters/],
    [{ consoleScope: "openid  email" }, /consoleScope: must be scopes, separated by one blank/],
    [{ stage: "aws-prod", userPool: "true" }, /stage: .* must not contain aws, amazon or cognito/],
    [{ a2aPrefix: "/console" }, /a2aPrefix/],
    [{ aguiComponent: "assistant" }, /aguiComponent: must be agents\/<id>/],
    [{ mcpTools: "agents/a, b" }, /mcpTools: must be all, or a list/],
    [{ edge: "nginx" }, /edge: must be cloudfront or http-api/],
    [{ domainName: "https://agents.example.com" }, /domainName: must be a domain name/],
    [{ domainName: "agents.example.com" }, /domainName and certificateArn: one needs the other/],
    [
      { domainName: "agents.example.com", certificateArn: "arn:aws:acm:eu-west-1:1:certificate/x" },
      /certificateArn: CloudFront takes certificates of us-east-1 only/,
    ],
    [{ webAclArn: "arn:aws:wafv2:eu-west-1:1:regional/webacl/x" }, /webAclArn: .* global/],
    [{ webAclArn: "arn:aws:wafv2:us-east-1:1:global/webacl/x", edge: "http-api" }, /webAclArn/],
    [{ permissionsBoundary: "limits" }, /permissionsBoundary: must be the ARN of a managed policy/],
    [{ costAlarmUsd: 500 }, /costAlarmUsd: it needs alarmEmail or alarmTopicArn/],
    [{ costMonitorArn: "arn:aws:ce::1:anomalymonitor/a" }, /costMonitorArn: it needs costAlarmUsd/],
    [{ alarmTopicArn: "arn:aws:sqs:eu-west-1:1:queue" }, /alarmTopicArn: must be the ARN of an SNS topic/],
    [{ alarmEmail: "ops" }, /alarmEmail: must be a mail address/],
    [{ logRetentionDays: 31 }, /logRetentionDays: must be one of 1, 3, 5/],
    [{ customerKey: "mine" }, /customerKey: must be true or false/],
    [{ xray: "true" }, /xray: must be on or off/],
    [{ queueEnabled: "maybe" }, /queueEnabled: must be true or false/],
    [{ max_attempts: "0" }, /max_attempts: must be at least 1/],
    [{ worker_concurrency: 1 }, /worker_concurrency: must be at least 2/],
    [{ worker_concurrency: 1_001 }, /worker_concurrency: more than 1000 need queuePollers/],
    [{ worker_concurrency: 20_001, queuePollers: 2 }, /worker_concurrency: must be at most 20000/],
    [{ queuePollers: 1 }, /queuePollers: must be at least 2/],
    [{ queuePollers: 4 }, /queuePollers: each calls 10 functions at once, and worker_concurrency must be/],
    [{ lock_grace_seconds: "soon" }, /lock_grace_seconds: must be a number$/],
  ])("refuses %o", (context, reason) => {
    expect(() => read(context)).toThrow(reason);
  });

  test("names every fault at once", () => {
    expect(() => read({ stage: "X", max_attempts: "0" })).toThrow(/stage: .*; max_attempts: /);
  });
});
