import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { booleanText, integerText } from "../values/fields.ts";

const text = v.pipe(v.string(), v.nonEmpty());
const Open = v.looseObject({});

/** A part of an item; which members it has depends on its type. */
const ResponsePart = v.looseObject({
  type: v.string(),
  text: v.optional(v.string()),
  image_url: v.optional(v.nullable(v.string())),
  file_data: v.optional(v.nullable(v.string())),
  file_url: v.optional(v.nullable(v.string())),
  filename: v.optional(v.nullable(v.string())),
});
export type ResponsePart = v.InferOutput<typeof ResponsePart>;

/** How a response is read. */
export const ResponseQuery = v.object({
  stream: meaning(v.optional(booleanText()), "Answer with its events, and follow it until it ends"),
  starting_after: meaning(
    v.optional(integerText({ min: 0, max: Number.MAX_SAFE_INTEGER })),
    "With stream: only events whose sequence_number is greater",
  ),
});
export type ResponseQuery = v.InferOutput<typeof ResponseQuery>;

/** A message where it names no type; which other members it has depends on its type. */
export const ResponseInput = v.looseObject({
  type: v.optional(v.string()),
  id: v.optional(v.nullable(v.string())),
  role: v.optional(v.picklist(["system", "developer", "user", "assistant"])),
  content: v.optional(v.nullable(v.union([v.string(), v.array(ResponsePart)]))),
  call_id: v.optional(v.string()),
  output: v.optional(v.unknown()),
  approval_request_id: v.optional(v.string()),
  approve: v.optional(v.boolean()),
  reason: v.optional(v.nullable(v.string())),
});
export type ResponseInput = v.InferOutput<typeof ResponseInput>;

/**
 * A request of OpenAI's responses. Members that are not named here are taken, and have no effect.
 *
 * @source the package openai, version 7.57.0: `ResponseCreateParams`
 */
export const ResponseRequest = v.looseObject({
  model: meaning(text, "A component, as in chat completions"),
  input: meaning(
    v.union([text, v.pipe(v.array(ResponseInput), v.minLength(1))]),
    "What is new in a conversation that is named; results of functions and decisions continue the run that waits for them",
  ),
  instructions: meaning(
    v.optional(v.nullable(v.string())),
    "Stand behind those of the component, in this run",
  ),
  previous_response_id: meaning(
    v.optional(v.nullable(text)),
    "The conversation of this response goes further",
  ),
  conversation: v.optional(v.nullable(v.union([text, v.looseObject({ id: text })]))),
  background: meaning(v.optional(v.nullable(v.boolean())), "Executed by the queue; answered at once"),
  store: meaning(v.optional(v.nullable(v.boolean())), "A response in the background is always stored"),
  stream: meaning(
    v.optional(v.nullable(v.boolean())),
    "Answer with events as they happen; with background the run goes on when the connection ends",
  ),
  tools: v.optional(
    v.nullable(
      v.array(
        v.looseObject({
          type: v.string(),
          name: v.optional(v.string()),
          description: v.optional(v.nullable(v.string())),
          parameters: v.optional(v.nullable(Open)),
        }),
      ),
    ),
  ),
  tool_choice: meaning(
    v.optional(v.unknown()),
    "Only auto or none: the component decides which tool it calls",
  ),
  text: v.optional(
    v.nullable(
      v.looseObject({
        format: v.optional(
          v.nullable(v.looseObject({ type: v.string(), schema: v.optional(v.nullable(Open)) })),
        ),
      }),
    ),
  ),
  metadata: v.optional(v.nullable(Open)),
});
export type ResponseRequest = v.InferOutput<typeof ResponseRequest>;

const word = v.pipe(v.string(), v.maxLength(512));

/** What a request says without an effect, and a response says again. */
const echoed = {
  temperature: v.optional(v.number()),
  top_p: v.optional(v.number()),
  max_output_tokens: v.optional(v.number()),
  reasoning: v.optional(
    v.object({ effort: v.optional(v.nullable(word)), summary: v.optional(v.nullable(word)) }),
  ),
  truncation: v.optional(word),
  service_tier: v.optional(word),
  user: v.optional(word),
  safety_identifier: v.optional(word),
};
const Echoed = v.object(echoed);

/** Those of an object, without what has another form. */
export const echoedIn = (given: Readonly<Record<string, unknown>>): v.InferOutput<typeof Echoed> =>
  Object.fromEntries(
    Object.entries(echoed).flatMap(([name, schema]) => {
      const read = v.safeParse(schema, given[name]);
      return read.success && read.output !== undefined ? [[name, read.output]] : [];
    }),
  );

/** What a run said and did; which members an item has depends on its type. */
const ResponseItem = v.object({
  id: v.string(),
  type: v.picklist(["message", "reasoning", "function_call", "mcp_call", "mcp_approval_request"]),
  status: v.optional(v.picklist(["in_progress", "completed", "incomplete", "failed"])),
  role: v.optional(v.literal("assistant")),
  content: v.optional(
    v.array(
      v.object({
        type: v.literal("output_text"),
        text: v.string(),
        annotations: v.array(v.string()),
      }),
    ),
  ),
  summary: v.optional(v.array(v.object({ type: v.literal("summary_text"), text: v.string() }))),
  call_id: v.optional(v.string()),
  name: v.optional(v.string()),
  arguments: v.optional(v.string()),
  server_label: v.optional(v.string()),
  output: v.optional(v.nullable(v.string())),
  error: v.optional(v.nullable(v.string())),
});
export type ResponseItem = v.InferOutput<typeof ResponseItem>;

/** What a run was asked; which members an item has depends on its type. */
export const InputItem = v.object({
  id: v.string(),
  type: v.picklist(["message", "function_call", "function_call_output"]),
  status: v.literal("completed"),
  role: v.optional(v.picklist(["user", "assistant"])),
  content: v.optional(
    v.array(
      v.object({
        type: v.string(),
        text: v.optional(v.string()),
        detail: v.optional(v.string()),
        image_url: v.optional(v.string()),
        file_url: v.optional(v.string()),
        /** Of a file that is stored here; `GET /sessions/{id}` shows it. */
        file_id: v.optional(v.string()),
        filename: v.optional(v.string()),
      }),
    ),
  ),
  call_id: v.optional(v.string()),
  name: v.optional(v.string()),
  arguments: v.optional(v.string()),
  output: v.optional(v.string()),
});
export type InputItem = v.InferOutput<typeof InputItem>;

/** Which items of a run's input are shown. */
export const InputItemsQuery = v.object({
  limit: meaning(v.optional(integerText({ min: 1, max: 100 })), "Items of a page; 20 where it is not given"),
  order: meaning(v.optional(v.picklist(["asc", "desc"])), "desc, where it is not given: the newest first"),
  after: meaning(v.optional(v.string()), "Id of the last item of the page before"),
});

export const InputItemsPage = v.object({
  object: v.literal("list"),
  data: v.array(InputItem),
  first_id: v.nullable(v.string()),
  last_id: v.nullable(v.string()),
  has_more: v.boolean(),
});
export type InputItemsPage = v.InferOutput<typeof InputItemsPage>;

export const DeletedResponse = v.object({
  id: v.string(),
  object: v.literal("response"),
  deleted: v.literal(true),
});
export type DeletedResponse = v.InferOutput<typeof DeletedResponse>;

export const ResponseObject = v.object({
  id: v.string(),
  object: v.literal("response"),
  created_at: v.number(),
  status: v.picklist(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]),
  background: v.boolean(),
  error: v.nullable(v.object({ code: v.string(), message: v.string() })),
  incomplete_details: v.nullable(v.object({ reason: v.string() })),
  instructions: v.nullable(v.string()),
  model: v.string(),
  output: v.array(ResponseItem),
  parallel_tool_calls: v.boolean(),
  previous_response_id: v.nullable(v.string()),
  /** The session. */
  conversation: v.object({ id: v.string() }),
  store: v.boolean(),
  tool_choice: v.literal("auto"),
  /** The functions of the client are in the request that brought them along; this is empty. */
  tools: v.array(v.string()),
  metadata: v.record(v.string(), v.unknown()),
  ...echoed,
  usage: v.nullable(
    v.object({
      input_tokens: v.number(),
      input_tokens_details: v.object({ cached_tokens: v.number() }),
      output_tokens: v.number(),
      output_tokens_details: v.object({ reasoning_tokens: v.number() }),
      total_tokens: v.number(),
    }),
  ),
});
export type ResponseObject = v.InferOutput<typeof ResponseObject>;
