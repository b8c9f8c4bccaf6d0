import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import type { Clock } from "../../../runtime/clock.ts";
import { SCRIPTED_MODEL_ID } from "../../../schemas/values/model-spec.ts";
import { playScript } from "./play-script.ts";

/**
 * A model for trying out, tests and benchmarks: deterministic, without a network. It does what the directives in
 * the latest user message say (see `parse-script.ts`) and answers `You said: …` when there are none.
 */
export function createScriptedModel(sleep: Clock["sleep"]): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: SCRIPTED_MODEL_ID,
    supportedUrls: {},
    doStream: async (options) => ({ stream: ReadableStream.from(playScript(options, sleep)) }),
    doGenerate: (options) => generate(options, sleep),
  };
}

async function generate(
  options: LanguageModelV4CallOptions,
  sleep: Clock["sleep"],
): Promise<LanguageModelV4GenerateResult> {
  const calls: LanguageModelV4Content[] = [];
  let text = "";
  for await (const part of playScript(options, sleep)) {
    if (part.type === "text-delta") text += part.delta;
    if (part.type === "tool-call") calls.push(part);
    if (part.type === "error") throw part.error;
    if (part.type === "finish") {
      const content: LanguageModelV4Content[] = text === "" ? calls : [{ type: "text", text }, ...calls];
      return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] };
    }
  }
  throw new Error("a script always ends with a finish or an error");
}
