import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../lib/config.ts";
import { queueSettings } from "../../shared/runtime/settings.ts";

const read = (context: Record<string, unknown> = {}) => readConfig((name) => context[name]);

describe("the configuration", () => {
  test("has a default for everything, and the settings' own defaults", () => {
    const config = read();
    expect(config).toMatchObject({ stage: "dev", disposable: true, jwtIssuers: "[]", queueEnabled: "true" });
    for (const [name, setting] of Object.entries(queueSettings)) {
      expect(config.settings[name as keyof typeof queueSettings]).toBe(setting.default);
    }
  });

  test("picks the scripted model on a local stage and a real one on any other", () => {
    expect(read({ stage: "local" }).model).toBe("scripted");
    expect(read({ stage: "prod" }).model).toMatch(/^amazon-bedrock:/);
  });

  test("keeps the data of every stage but dev and local", () => {
    expect(["local", "dev", "test", "prod"].map((stage) => read({ stage }).disposable)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("takes issuers as JSON text or as they are, and origins as a list or as text", () => {
    const issuers = [{ issuer: "https://id.example" }];
    expect(read({ jwtIssuers: issuers }).jwtIssuers).toBe(JSON.stringify(issuers));
    expect(read({ jwtIssuers: JSON.stringify(issuers) }).jwtIssuers).toBe(JSON.stringify(issuers));
    expect(read({ corsAllowedOrigins: ["https://a", "https://b"] }).corsAllowedOrigins).toBe(
      "https://a,https://b",
    );
  });

  test("puts a key set that lies in a file into its issuer's entry", () => {
    const folder = mkdtempSync(join(tmpdir(), "jwks-"));
    try {
      const file = join(folder, "jwks.json");
      writeFileSync(file, '{"keys":[{"kty":"RSA"}]}');
      const { jwtIssuers } = read({ jwtIssuers: [{ issuer: "x", jwks_file: file }, { issuer: "y" }] });
      expect(JSON.parse(jwtIssuers)).toEqual([
        { issuer: "x", jwks: { keys: [{ kty: "RSA" }] } },
        { issuer: "y" },
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.each([
    [{ stage: "Prod!" }, /stage/],
    [{ model: "gpt-5" }, /model: must be scripted, or <provider>:<id>/],
    [{ model: "openai:" }, /model/],
    [{ model: "openai-compatible:llama" }, /modelBaseUrl/],
    [{ judgeModel: "gpt-5" }, /judgeModel: must be scripted, or <provider>:<id>/],
    [{ modelBaseUrl: "nowhere" }, /modelBaseUrl: must be a URL/],
    [{ modelPrices: '{"openai:gpt-5": 3}' }, /modelPrices: must be a JSON object of prices/],
    [{ modelPrices: "cheap" }, /modelPrices/],
    [{ jwtIssuers: "{}" }, /jwtIssuers: must be a JSON array/],
    [{ jwtIssuers: "nonsense" }, /jwtIssuers/],
    [{ scopeMappings: "[]" }, /scopeMappings: must be a JSON object/],
    [{ scopeMappings: { "/config": [] } }, /scopeMappings/],
    [{ scopeMappings: { "GET /config": "config:read" } }, /scopeMappings/],
    [
      { serviceAccountCacheSeconds: "301" },
      /serviceAccountCacheSeconds: must be a whole number from 0 to 300/,
    ],
    [{ requestsPerMinute: "-1" }, /requestsPerMinute/],
    [{ requestsPerSecond: "0" }, /requestsPerSecond/],
    [{ userPool: "perhaps" }, /userPool: must be true or false/],
    [{ jwtIssuers: [{ jwks_file: "/no/such/file.json" }] }, /jwtIssuers: .*no such file/],
    [{ queueEnabled: "maybe" }, /queueEnabled: must be true or false/],
    [{ max_attempts: "0" }, /max_attempts: must be at least 1/],
    [{ worker_concurrency: 1 }, /worker_concurrency: must be at least 2/],
    [{ lock_grace_seconds: "soon" }, /lock_grace_seconds: must be a number/],
  ])("refuses %o", (context, reason) => {
    expect(() => read(context)).toThrow(reason);
  });

  test("names every fault at once", () => {
    expect(() => read({ stage: "X", max_attempts: "0" })).toThrow(/stage: .*; max_attempts: /);
  });
});
