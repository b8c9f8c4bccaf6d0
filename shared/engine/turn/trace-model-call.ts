import type { Message } from "../../schemas/runs/run.ts";
import type { SpanEnd, SpanStart } from "../ports/trace-span.ts";
import type { Execution } from "../run/execution.ts";
import type { ModelCall, ModelTurn } from "./call-model.ts";

/** A call that another process goes on with. */
type Unfinished = { readonly ended: "yielded"; readonly turn: ModelTurn };

/** Makes a model call within a span. A call that was aborted leaves the span open. */
export async function traceModelCall<Call extends ModelCall | Unfinished>(
  messages: readonly Message[],
  execution: Execution,
  call: () => Promise<Call>,
  // The conversation grows with nearly every call, so its length names a call within a run.
  name = String(messages.length),
): Promise<Call> {
  const span = execution.ports.span?.child(modelSpan(`model:${name}`, messages, execution));
  const result = await call();
  if (result.ended === "yielded") return result;
  if (result.ended === "answered") span?.end(answered(result.turn));
  else if (!execution.ports.signal.aborted) {
    span?.end({ error: result.fault.text, error_type: result.fault.cause, usage: result.turn.usage });
  }
  return result;
}

/** @param key  unique for the call within its run */
export const modelSpan = (key: string, messages: readonly Message[], { model }: Execution): SpanStart => ({
  key,
  name: `${model.id}.invoke`,
  kind: "LLM",
  input: JSON.stringify(unseenMessages(messages)),
  facts: { model: model.id, provider: model.provider },
});

/** The messages that the model has not seen before; earlier ones are in the spans of earlier calls. */
const unseenMessages = (messages: readonly Message[]) =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === "assistant") + 1)
    .map(({ role, content = "" }) => ({ role, content }));

function answered({ text, calls, usage }: ModelTurn): SpanEnd {
  const toolCalls = calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
  const output =
    toolCalls.length === 0 ? text : JSON.stringify({ ...(text && { text }), tool_calls: toolCalls });
  return { output, usage };
}
