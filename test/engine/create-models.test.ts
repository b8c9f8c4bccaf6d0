import { describe, expect, test } from "vitest";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { ServiceError } from "../../shared/errors.ts";

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

  test.each(["", "gpt-5", "openai:", "scripted:2", "toString:x", "mistral:small"])(
    "%j names no model, which the run that needs it is told",
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
    ["openai-compatible:llama", "openai-compatible needs MODEL_BASE_URL"],
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
  test("is fetched when no variable holds one, and once for all calls", async () => {
    let fetched = 0;
    const apiKey = async () => {
      fetched += 1;
      return "from-the-secret";
    };
    const models = createModels({ MODEL: "anthropic:claude" }, { apiKey });
    const [first, second] = await Promise.all([models.resolve(), models.resolve()]);
    expect(first).toBe(second);
    expect(fetched).toBe(1);
  });

  test("is not fetched when a variable holds one", async () => {
    const apiKey = async () => {
      throw new Error("nobody may ask");
    };
    const models = createModels({ MODEL: "openai:gpt-5", MODEL_API_KEY: "key" }, { apiKey });
    await expect(models.resolve()).resolves.toMatchObject({ id: "gpt-5" });
  });

  test("is asked for again after it could not be fetched", async () => {
    const answers = [Promise.reject(new Error("no answer")), Promise.resolve("key")];
    answers[0]?.catch(() => undefined);
    const models = createModels(
      { MODEL: "openai:gpt-5" },
      { apiKey: () => answers.shift() ?? Promise.resolve(undefined) },
    );
    await expect(models.resolve()).rejects.toThrow("no answer");
    await expect(models.resolve()).resolves.toMatchObject({ id: "gpt-5" });
  });
});
