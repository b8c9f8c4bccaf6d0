import * as v from "valibot";
import { ClientTool } from "../runs/client-tool.ts";
import { SessionId } from "../sessions/session-id.ts";
import { meaning } from "../values/described-as.ts";
import { isStorable, unstorable } from "../values/storable.ts";

/** Longest id of a run, as its client names it, in characters. */
const MAX_RUN_ID_CHARS = 255;
const MAX_TOOLS = 128;

/** A value that is stored with the run, or in its session. */
const storable = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    schema,
    v.check((value) => isStorable(value), unstorable),
  );

const Json = v.looseObject({});
const Source = v.looseObject({
  type: v.picklist(["data", "url", "file"]),
  value: v.optional(v.string()),
  mimeType: v.optional(v.string()),
});

/** A part of a message. Clients of before 1.0 send files as `binary`. */
export const AguiPart = v.looseObject({
  type: v.picklist(["text", "image", "audio", "video", "document", "binary"]),
  text: v.optional(v.string()),
  source: v.optional(Source),
  mimeType: v.optional(v.string()),
  data: v.optional(v.string()),
  url: v.optional(v.string()),
  filename: v.optional(v.nullable(v.string())),
  metadata: v.optional(v.unknown()),
});
export type AguiPart = v.InferOutput<typeof AguiPart>;

/** Text, or its parts. Activities have objects, which no run reads: they are accepted, and not described, as unions of such have no type in Java. */
const Content = v.pipe(
  v.union([v.string(), v.array(AguiPart), Json]),
  v.metadata({ jsonSchema: ({ anyOf = [] }: { anyOf?: object[] }) => ({ anyOf: anyOf.slice(0, 2) }) }),
);

/** Which members a message has depends on its role; only those that a run is made of are validated. */
export const AguiMessage = v.looseObject({
  id: v.string(),
  role: v.picklist(["user", "assistant", "system", "developer", "tool", "activity", "reasoning"]),
  content: v.optional(v.nullable(Content)),
  toolCallId: v.optional(v.string()),
  error: v.optional(v.nullable(v.string())),
});
export type AguiMessage = v.InferOutput<typeof AguiMessage>;

/** An answer to something that a paused run waits for. */
export const AguiResume = v.looseObject({
  interruptId: v.string(),
  status: v.picklist(["resolved", "cancelled"]),
  payload: v.optional(v.unknown()),
});
export type AguiResume = v.InferOutput<typeof AguiResume>;

const ForwardedProps = v.looseObject({
  background: meaning(
    v.optional(v.boolean(), false),
    "Executed by the queue: the run goes on when its client leaves. The same runId again follows it",
  ),
  steer: meaning(
    v.optional(v.boolean(), false),
    "What is new is said to the live run of the thread, if there is one, and the stream follows that run from then on",
  ),
  follow: meaning(
    v.optional(v.pipe(v.string(), v.nonEmpty())),
    "Starts nothing and streams a run of this thread again, from its first event: its run_id, or the runId that it was asked for by",
  ),
});

/**
 * A request of AG-UI to run an agent.
 *
 * @source the protocol's types, version 1.0: `RunAgentInput`
 */
export const RunAgentInput = v.looseObject({
  threadId: meaning(v.pipe(SessionId, v.nonEmpty()), "The conversation: the session_id of the run routes"),
  runId: meaning(
    v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_RUN_ID_CHARS)),
    "Names this request; the run has an id of its own, which RUN_STARTED carries in its metadata",
  ),
  protocolVersion: meaning(v.optional(v.nullable(v.string())), "The version that the client speaks"),
  parentRunId: meaning(
    v.optional(v.nullable(v.pipe(v.string(), v.maxLength(MAX_RUN_ID_CHARS)))),
    "The request that this one follows from; stored with the run",
  ),
  state: meaning(
    v.optional(storable(v.unknown())),
    "An object is merged into the state of the session; anything else is ignored",
  ),
  messages: meaning(
    v.array(AguiMessage),
    "What is new goes into the run: the user's messages, or results of tools, after the last message of the assistant. The session holds the rest",
  ),
  tools: meaning(
    v.optional(v.nullable(storable(v.pipe(v.array(ClientTool), v.maxLength(MAX_TOOLS)))), []),
    "Tools that the client executes; the run pauses for their results",
  ),
  context: meaning(
    v.optional(v.nullable(v.array(v.looseObject({ description: v.string(), value: v.string() }))), []),
    "Values that instructions and tools can read, by their descriptions",
  ),
  forwardedProps: meaning(
    v.optional(v.nullable(storable(ForwardedProps))),
    "Two settings; the rest is stored with the run",
  ),
  resume: meaning(v.optional(v.nullable(v.array(AguiResume))), "Answers to the interrupts of a paused run"),
});
export type RunAgentInput = v.InferOutput<typeof RunAgentInput>;
