import type { Message } from "../../schemas/runs/run.ts";
import type { SpanEnd, SpanStart } from "../ports/trace-span.ts";
import type { Execution } from "../run/execution.ts";
import type { ModelCall, ModelTurn } from "./call-model.ts";

/** Makes a model call within a span. A call that a stop cut off leaves it open. */
export async function traceModelCall(
  messages: readonly Message[],
  execution: Execution,
  call: () => Promise<ModelCall>,
): Promise<ModelCall> {
  // The conversation grows with every call, so its length names a call within a run.
  const span = execution.ports.span?.child(modelSpan(`model:${messages.length}`, messages, execution));
  const made = await call();
  if (made.ended === "answered") span?.end(answered(made.turn));
  else if (!execution.ports.signal.aborted) {
    span?.end({ error: made.fault.text, error_type: made.fault.cause, usage: made.turn.usage });
  }
  return made;
}

/** @param key  names the call within its run */
export const modelSpan = (key: string, messages: readonly Message[], { model }: Execution): SpanStart => ({
  key,
  name: `${model.id}.invoke`,
  kind: "LLM",
  input: JSON.stringify(newsIn(messages)),
  facts: { model: model.id, provider: model.provider },
});

/** What the model has not been shown before: of a long conversation the rest is in the spans of earlier calls. */
const newsIn = (messages: readonly Message[]) =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === "assistant") + 1)
    .map(({ role, content = "" }) => ({ role, content }));

function answered({ text, calls, usage }: ModelTurn): SpanEnd {
  const asked = calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
  const output = asked.length === 0 ? text : JSON.stringify({ ...(text && { text }), tool_calls: asked });
  return { output, usage };
}
