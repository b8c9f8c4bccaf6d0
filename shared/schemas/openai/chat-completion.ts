import * as v from "valibot";
import { meaning } from "../values/described-as.ts";

const text = v.pipe(v.string(), v.nonEmpty());
const Open = v.looseObject({});

const FunctionCall = v.looseObject({
  id: v.string(),
  type: v.optional(v.string()),
  function: v.looseObject({ name: v.string(), arguments: v.optional(v.string(), "{}") }),
});

/** A part of a message; which members it has depends on its type. */
export const ChatPart = v.looseObject({
  type: v.string(),
  text: v.optional(v.string()),
  image_url: v.optional(v.looseObject({ url: v.string() })),
  input_audio: v.optional(v.looseObject({ data: v.string(), format: v.string() })),
  file: v.optional(
    v.looseObject({
      file_data: v.optional(v.string()),
      file_id: v.optional(v.string()),
      filename: v.optional(v.string()),
    }),
  ),
});
export type ChatPart = v.InferOutput<typeof ChatPart>;

export const ChatMessage = v.looseObject({
  role: v.picklist(["system", "developer", "user", "assistant", "tool"]),
  content: meaning(v.optional(v.nullable(v.union([v.string(), v.array(ChatPart)]))), "A text, or its parts"),
  tool_calls: v.optional(v.nullable(v.array(FunctionCall))),
  tool_call_id: meaning(v.optional(v.string()), "The call that a message of a tool answers"),
});
export type ChatMessage = v.InferOutput<typeof ChatMessage>;

/**
 * A request of OpenAI's chat completions. Members that are not named here are taken, and have no effect.
 *
 * @source the package openai, version 7.57.0: `ChatCompletionCreateParams`
 */
export const ChatRequest = v.looseObject({
  model: meaning(
    text,
    "A component, as agent:<id>, team:<id> or workflow:<id>; the id alone where it is unique",
  ),
  messages: meaning(
    v.pipe(v.array(ChatMessage), v.minLength(1)),
    "The conversation as the client has it: the last message of the user is asked, and the model sees those before it",
  ),
  stream: meaning(v.optional(v.nullable(v.boolean())), "Chunks as they happen, or the whole at the end"),
  stream_options: meaning(
    v.optional(v.nullable(v.looseObject({ include_usage: v.optional(v.nullable(v.boolean())) }))),
    "With include_usage the last chunk says what was used",
  ),
  tools: meaning(
    v.optional(
      v.nullable(
        v.array(
          v.looseObject({
            type: v.string(),
            function: v.optional(
              v.looseObject({
                name: v.string(),
                description: v.optional(v.string()),
                parameters: v.optional(v.nullable(Open)),
              }),
            ),
          }),
        ),
      ),
    ),
    "Functions that the client executes; those of the component are executed here, and not shown",
  ),
  tool_choice: meaning(
    v.optional(v.unknown()),
    "Only auto or none: the component decides which tool it calls",
  ),
  response_format: meaning(
    v.optional(
      v.nullable(
        v.looseObject({
          type: v.string(),
          json_schema: v.optional(v.looseObject({ schema: v.optional(v.nullable(Open)) })),
        }),
      ),
    ),
    "A schema that the answer must fit, or json_object for any object",
  ),
  n: meaning(v.optional(v.nullable(v.number())), "Only 1: a run has one answer"),
  metadata: meaning(v.optional(v.nullable(Open)), "Stored with the run; its session_id names the session"),
});
export type ChatRequest = v.InferOutput<typeof ChatRequest>;

export const ChatUsage = v.object({
  prompt_tokens: v.number(),
  completion_tokens: v.number(),
  total_tokens: v.number(),
  prompt_tokens_details: v.object({ cached_tokens: v.number() }),
  completion_tokens_details: v.object({ reasoning_tokens: v.number() }),
});
export type ChatUsage = v.InferOutput<typeof ChatUsage>;

export const ChatCall = v.object({
  id: v.string(),
  type: v.literal("function"),
  function: v.object({ name: v.string(), arguments: v.string() }),
});
export type ChatCall = v.InferOutput<typeof ChatCall>;

export const finishReasons = ["stop", "tool_calls", "length", "content_filter"] as const;

export const ChatCompletion = v.object({
  id: v.string(),
  object: v.literal("chat.completion"),
  created: v.number(),
  model: v.string(),
  choices: v.array(
    v.object({
      index: v.number(),
      message: v.object({
        role: v.literal("assistant"),
        content: v.nullable(v.string()),
        /** Always null: a refusal of the model is text. */
        refusal: v.nullable(v.string()),
        tool_calls: v.optional(v.array(ChatCall)),
      }),
      finish_reason: v.picklist(finishReasons),
    }),
  ),
  usage: ChatUsage,
});
export type ChatCompletion = v.InferOutput<typeof ChatCompletion>;
