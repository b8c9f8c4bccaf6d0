import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { ServiceError } from "../../shared/errors.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { models as modelSettings } from "../../shared/settings/rows/models.ts";
import { variablesOf } from "../../shared/settings/setting.ts";
import { startWireServer } from "./support/wire-server.ts";
import { openai as openaiWire } from "./wires/openai.ts";
import { openaiCompatible } from "./wires/openai-compatible.ts";

describe("a model specification", () => {
  test.each([
    ["scripted", { id: "scripted-1", provider: "Scripted" }],
    ["openai:gpt-5", { id: "gpt-5", provider: "OpenAI" }],
    ["anthropic:claude-sonnet-5", { id: "claude-sonnet-5", provider: "Anthropic" }],
    ["amazon-bedrock:amazon.nova-lite-v1:0", { id: "amazon.nova-lite-v1:0", provider: "Amazon Bedrock" }],
    ["openai-compatible:llama", { id: "llama", provider: "OpenAI compatible" }],
  ])("%s is described as the wire shows it", (MODEL, shown) => {
    expect(createModels({ MODEL }).describe()).toEqual(shown);
    expect(createModels({ MODEL: "scripted" }).describe(MODEL)).toEqual(shown);
  });

  test.each([
    ["scripted", {}, undefined],
    ["openai:gpt-5", {}, "api.openai.com"],
    ["openai:gpt-5", { MODEL_BASE_URL: "https://proxy.example:8443/v1" }, "proxy.example"],
    ["anthropic:claude-sonnet-5", {}, "api.anthropic.com"],
    ["openai-compatible:llama", { MODEL_BASE_URL: "http://127.0.0.1:8080/v1" }, "127.0.0.1"],
    ["openai-compatible:llama", {}, undefined],
  ])("%s %j is called at %s", (MODEL, config, server) => {
    expect(createModels({ MODEL, ...config }).serverOf?.()).toBe(server);
  });

  test.each(["", "gpt-5", "openai:", "scripted:2", "toString:x", "mistral:small"])(
    "%j names no model, which the run that needs it gets as an error",
    async (MODEL) => {
      const models = createModels({ MODEL });
      expect(models.describe().provider).toBe("unknown");
      await expect(models.resolve()).rejects.toThrow("does not name a model");
    },
  );
});

describe("a model that is not configured", () => {
  test.each([
    ["openai:gpt-5", "no key for OpenAI is configured"],
    ["anthropic:claude", "no key for Anthropic is configured"],
    ["openai-compatible:llama", "no address for openai-compatible is configured"],
  ])("%s says what is missing", async (MODEL, detail) => {
    const refused = createModels({ MODEL }).resolve();
    await expect(refused).rejects.toThrow(detail);
    await expect(refused).rejects.toBeInstanceOf(ServiceError);
  });

  test("scripted answers nowhere but where it is the default", async () => {
    const models = createModels({ MODEL: "openai:gpt-5", OPENAI_API_KEY: "key" });
    await expect(models.resolve("scripted")).rejects.toThrow("not configured");
    await expect(createModels({ MODEL: "scripted" }).resolve("scripted")).resolves.toMatchObject({
      id: "scripted-1",
    });
  });
});

describe("a key that is kept as a secret", () => {
  const config = { MODEL: "anthropic:claude", MODEL_API_KEY_SECRET: "models/anthropic" };

  test("is fetched when no variable holds one, and once for all calls", async () => {
    const fetched: string[] = [];
    const readSecret = async (name: string) => {
      fetched.push(name);
      return "from-the-secret";
    };
    const models = createModels(config, { readSecret });
    const [first, second] = await Promise.all([models.resolve(), models.resolve()]);
    expect(first).toBe(second);
    expect(fetched).toEqual(["models/anthropic"]);
  });

  test("is not fetched when a variable holds one", async () => {
    const readSecret = async () => {
      throw new Error("must not be called");
    };
    const models = createModels({ ...config, MODEL_API_KEY: "key" }, { readSecret });
    await expect(models.resolve()).resolves.toMatchObject({ id: "claude" });
  });

  test("is asked for again after it could not be fetched", async () => {
    const answers = [Promise.reject(new Error("no answer")), Promise.resolve("key")];
    answers[0]?.catch(() => undefined);
    const models = createModels(config, { readSecret: () => answers.shift() ?? Promise.resolve("") });
    await expect(models.resolve()).rejects.toThrow("no answer");
    await expect(models.resolve()).resolves.toMatchObject({ id: "claude" });
  });
});

describe("a key belongs to one provider", () => {
  const openai = { MODEL: "openai:gpt-5", MODEL_API_KEY: "key-of-openai" };

  test.each([
    ["a variable", openai],
    ["the provider's own variable", { MODEL: "openai:gpt-5", OPENAI_API_KEY: "key-of-openai" }],
    ["a secret", { MODEL: "openai:gpt-5", MODEL_API_KEY_SECRET: "models/openai" }],
    ["a named provider's secret", { ...openai, MODEL_PROVIDERS: { openai: { apiKeySecret: "models/x" } } }],
  ])("the default model's, from %s, is never a model's of another provider", async (_, config) => {
    const readSecret = async () => "key-of-openai";
    const models = createModels(config, { readSecret });
    await expect(models.resolve()).resolves.toMatchObject({ provider: "OpenAI" });
    await expect(models.resolve("anthropic:claude")).rejects.toThrow("no key for Anthropic is configured");
    await expect(models.resolve("openai-compatible:llama")).rejects.toThrow("no address");
  });

  test("each of several providers is called at its own address with its own key", async () => {
    const replies = [openaiWire.text("Hel", "lo")];
    const others = [openaiCompatible.text("Hel", "lo")];
    const [own, other] = await Promise.all([startWireServer(replies), startWireServer(others)]);
    const models = createModels(
      {
        MODEL: "openai:gpt-5",
        MODEL_BASE_URL: own.url + openaiWire.basePath,
        MODEL_API_KEY_SECRET: "models/openai",
        MODEL_PROVIDERS: {
          "openai-compatible": { baseUrl: `${other.url}/v1`, apiKeySecret: "models/other" },
        },
      },
      { readSecret: async (name) => `key in ${name}` },
    );
    const prompt: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: "Hello" }] }];
    for (const spec of ["openai:gpt-5", "openai-compatible:llama"]) {
      const { model } = await models.resolve(spec);
      await model.doStream({ prompt });
    }
    expect(own.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer key in models/openai"]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer key in models/other",
    ]);
  });

  const environment = v.object(variablesOf(modelSettings, "modelProviders"));
  test.each([
    ["[]", "must be a JSON object"],
    ["{", "MODEL_PROVIDERS"],
    ['{"mistral": {}}', "mistral"],
    ['{"openai": {"key": "sk-1"}}', "openai.key"],
    ['{"openai": {"baseUrl": "api.example.com"}}', "openai.baseUrl: must be a URL"],
  ])("settings %s are refused where a function starts", (MODEL_PROVIDERS, problem) => {
    expect(() => readEnv(environment, { MODEL_PROVIDERS })).toThrow(problem);
  });
});
