import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AnswerShape } from "../define/answer-shape.ts";
import type { ResolvedModel } from "../model/models.ts";

type Form = Pick<LanguageModelV4CallOptions, "prompt" | "responseFormat">;

/**
 * Requests an answer of the given shape: by a response format where the service enforces schemas, else by an instruction, with
 * JSON as the format where the service takes that. Services accept only schemas of objects.
 */
export function answerForm(
  prompt: LanguageModelV4Prompt,
  shape: AnswerShape | undefined,
  { structured }: Pick<ResolvedModel, "structured">,
): Form {
  if (!shape) return { prompt };
  const isObject = shape.schema.type === "object";
  if (structured === "json_schema" && isObject)
    return { prompt, responseFormat: { type: "json", schema: shape.schema, name: wireName(shape.name) } };
  const instructed = { prompt: withInstruction(prompt, shape) };
  return structured === "json_object" && isObject
    ? { ...instructed, responseFormat: { type: "json" } }
    : instructed;
}

/** OpenAI's rule for names, which suits the others too. */
const wireName = (name: string): string => name.replace(/[^\w-]/g, "_").slice(0, 64);

function withInstruction(prompt: LanguageModelV4Prompt, { schema }: AnswerShape): LanguageModelV4Prompt {
  const instruction = `Answer with JSON alone, without any text around it. It must match this JSON Schema:\n${JSON.stringify(schema)}`;
  const [first, ...rest] = prompt;
  if (first?.role !== "system") return [{ role: "system", content: instruction }, ...prompt];
  return [{ ...first, content: `${first.content}\n\n${instruction}` }, ...rest];
}
