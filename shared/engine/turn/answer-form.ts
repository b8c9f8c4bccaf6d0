import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { untilStopped } from "../../runtime/promises.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { AnswerShape } from "../define/answer-shape.ts";
import type { ResolvedModel } from "../model/models.ts";
import type { Execution } from "../run/execution.ts";

type Form = Pick<LanguageModelV4CallOptions, "prompt" | "responseFormat">;

/** How a model is asked for an answer of a shape: the service enforces the schema, or the model is instructed. */
const isEnforced = ({ schema }: AnswerShape, structured: ResolvedModel["structured"]): boolean =>
  structured === "json_schema" && schema.type === "object";

const instructionFor = ({ schema }: AnswerShape): string =>
  `Answer with JSON alone, without any text around it. It must match this JSON Schema:\n${JSON.stringify(schema)}`;

/**
 * The instruction of a shape that the request sets, for the context block of its run: in the system message it would void
 * what a provider has cached of other runs.
 *
 * @returns undefined where the service enforces the shape, or it is the agent's own
 */
export async function requestedForm({
  agent,
  answer,
  request,
  ports,
}: Execution): Promise<string | undefined> {
  if (!answer || request.output_schema === undefined) return undefined;
  // A model that cannot be resolved fails its call, which says why.
  const model = await untilStopped(ports.models.resolve(agent.model), ports.signal).catch(() => undefined);
  return model && !isEnforced(answer, model.structured) ? instructionFor(answer) : undefined;
}

/**
 * Requests an answer of the given shape: by a response format where the service enforces schemas, else by an instruction, with
 * JSON as the format where the service takes that. Services accept only schemas of objects.
 *
 * @param shown  the messages of the prompt; one whose context holds the instruction needs no second one
 */
export function answerForm(
  prompt: LanguageModelV4Prompt,
  shape: AnswerShape | undefined,
  { structured }: Pick<ResolvedModel, "structured">,
  shown: readonly Pick<Message, "context">[] = [],
): Form {
  if (!shape) return { prompt };
  if (isEnforced(shape, structured))
    return { prompt, responseFormat: { type: "json", schema: shape.schema, name: wireName(shape.name) } };
  const instruction = instructionFor(shape);
  const isShown = shown.some(({ context }) => context?.includes(instruction));
  const instructed = { prompt: isShown ? prompt : withInstruction(prompt, instruction) };
  return structured === "json_object" && shape.schema.type === "object"
    ? { ...instructed, responseFormat: { type: "json" } }
    : instructed;
}

/** OpenAI's rule for names, which suits the others too. */
const wireName = (name: string): string => name.replace(/[^\w-]/g, "_").slice(0, 64);

function withInstruction(prompt: LanguageModelV4Prompt, instruction: string): LanguageModelV4Prompt {
  const [first, ...rest] = prompt;
  if (first?.role !== "system") return [{ role: "system", content: instruction }, ...prompt];
  return [{ ...first, content: `${first.content}\n\n${instruction}` }, ...rest];
}
