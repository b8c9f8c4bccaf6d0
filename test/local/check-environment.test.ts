import { describe, expect, test } from "vitest";
import {
  misspelledVariables,
  requireCardAddress,
  requireModelKey,
} from "../../local/template/check-environment.ts";

describe("a model without its key", () => {
  test.each([
    ["openai:gpt-5", "OPENAI_API_KEY"],
    ["anthropic:claude-sonnet-5-5", "ANTHROPIC_API_KEY"],
  ])("%s is refused at the start, by the name of %s", (MODEL, variable) => {
    expect(() => requireModelKey({ MODEL })).toThrow(`MODEL is ${MODEL}, and ${variable} is not set`);
    expect(() => requireModelKey({ MODEL, [variable]: "" })).toThrow(variable);
    expect(() => requireModelKey({ MODEL, [variable]: "key" })).not.toThrow();
    expect(() => requireModelKey({ MODEL, MODEL_API_KEY: "key" })).not.toThrow();
  });

  test.each([
    ["JUDGE_MODEL", "openai:gpt-5", "OPENAI_API_KEY"],
    ["EMBEDDER", "openai:text-embedding-3-small", "EMBEDDER_API_KEY"],
  ])("is refused for %s too", (name, value, variable) => {
    expect(() => requireModelKey({ [name]: value })).toThrow(
      `${name} is ${value}, and ${variable} is not set`,
    );
    expect(() => requireModelKey({ [name]: value, [variable]: "key" })).not.toThrow();
  });

  test("is none where the provider needs no key, or has a secret", () => {
    const MODEL_PROVIDERS = '{"openai": {"apiKeySecret": "models/openai"}}';
    for (const environment of [
      {},
      { MODEL: "scripted" },
      { MODEL: "amazon-bedrock:x" },
      { MODEL: "openai-compatible:x" },
      { MODEL: "openai:gpt-5", MODEL_PROVIDERS },
    ]) {
      expect(() => requireModelKey(environment)).not.toThrow();
    }
  });
});

test("a key of agent cards without the address that they name is refused at the start", () => {
  expect(() => requireCardAddress({ A2A_CARD_KEY: "{}" })).toThrow("PUBLIC_URL");
  expect(() => requireCardAddress({ A2A_CARD_KEY: "{}", PUBLIC_URL: "https://a.example" })).not.toThrow();
  expect(() => requireCardAddress({})).not.toThrow();
});

describe("a misspelled setting", () => {
  test.each([
    ["MAX_ATTEMTPS", "MAX_ATTEMPTS"],
    ["TRACNG", "TRACING"],
    ["OPENAI_API_KEYS", "OPENAI_API_KEY"],
    ["DATADIR", "DATA_DIR"],
  ])("%s is reported with %s", (name, nearest) => {
    expect(misspelledVariables({ [name]: "1" })).toEqual([
      `${name} is no setting and changes nothing; did you mean ${nearest}?`,
    ]);
  });

  test("is no variable of another program", () => {
    const others = [
      "PATH",
      "HOME",
      "NODE_ENV",
      "AWS_REGION",
      "npm_config_cache",
      "MODE",
      "PWD",
      "SHELL",
      "LC_ALL",
    ];
    expect(misspelledVariables(Object.fromEntries(others.map((name) => [name, "1"])))).toEqual([]);
    expect(misspelledVariables({ MAX_ATTEMPTS: "2", MODEL: "scripted", PORT: "0" })).toEqual([]);
    expect(misspelledVariables({ MAX_ATTEMPS: "2" }, ["MAX_ATTEMPS"])).toEqual([]);
  });
});
