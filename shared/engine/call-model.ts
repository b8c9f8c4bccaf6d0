import {
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamPart,
  NoContentGeneratedError,
} from "@ai-sdk/provider";
import type { Message } from "../schemas/run.ts";
import { buildPrompt, promptTools } from "./build-prompt.ts";
import type { Execution } from "./execution.ts";
import { noUsage, secondsBetween, type Usage, usageFrom } from "./metrics.ts";
import { readUntilStopped } from "./read-until-stopped.ts";
import { untilStopped } from "./until-stopped.ts";
import { withMedia } from "./with-media.ts";

export type RequestedCall = {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
};

/** What one model call gave. */
export type ModelTurn = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly RequestedCall[];
  readonly usage: Usage;
  readonly started_at_ms: number;
  readonly first_token_at_ms: number | null;
  readonly ended_at_ms: number;
};

export type ModelCall =
  | { readonly ended: "answered"; readonly turn: ModelTurn }
  /** `turn` holds what arrived before the call broke off; `thrown` is the fault or the signal's reason. */
  | { readonly ended: "broken"; readonly turn: ModelTurn; readonly thrown: unknown };

/** Calls the model once and sends what it says, while it says it, as events. */
export async function callModel(messages: readonly Message[], execution: Execution): Promise<ModelCall> {
  const { emit, model, ports } = execution;
  const shown = { model: model.id, model_provider: model.provider };
  const heard = startListening(ports.clock.now());
  emit({ event: "ModelRequestStarted", ...shown });
  try {
    for await (const part of openStream(messages, execution)) listen(heard, part, execution);
    if (!heard.finished)
      throw new NoContentGeneratedError({ message: "the stream ended before the answer did" });
  } catch (thrown) {
    return { ended: "broken", turn: turnFrom(heard, ports.clock.now()), thrown };
  }
  const turn = turnFrom(heard, ports.clock.now());
  emit({ event: "ModelRequestCompleted", ...shown, ...requestMetrics(turn) });
  return { ended: "answered", turn };
}

async function* openStream(
  messages: readonly Message[],
  { agent, ports: { models, signal, loadObject } }: Execution,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { model, providerOptions } = await untilStopped(models.resolve(agent.model), signal);
  const { stream } = await untilStopped(
    model.doStream({
      prompt: buildPrompt(await withMedia(messages, loadObject)),
      ...(agent.tools.length > 0 && { tools: promptTools(agent.tools) }),
      ...(providerOptions && { providerOptions }),
      abortSignal: signal,
    }),
    signal,
  );
  yield* readUntilStopped(stream, signal);
}

type Heard = {
  text: string;
  reasoning: string;
  calls: RequestedCall[];
  usage: Usage;
  finished: boolean;
  startedAtMs: number;
  firstTokenAtMs: number | null;
};

const startListening = (startedAtMs: number): Heard => ({
  text: "",
  reasoning: "",
  calls: [],
  usage: noUsage,
  finished: false,
  startedAtMs,
  firstTokenAtMs: null,
});

/** @throws the fault that the service sent within its stream */
function listen(heard: Heard, part: LanguageModelV4StreamPart, { emit, ports }: Execution): void {
  switch (part.type) {
    case "text-delta":
    case "reasoning-delta": {
      if (part.delta === "") return;
      const [content, reasoning_content] = part.type === "text-delta" ? [part.delta, ""] : ["", part.delta];
      heard.text += content;
      heard.reasoning += reasoning_content;
      heard.firstTokenAtMs ??= ports.clock.now();
      emit({ event: "RunContent", content, content_type: "str", workflow_agent: false, reasoning_content });
      return;
    }
    case "tool-call":
      heard.calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
      return;
    case "finish":
      heard.usage = usageFrom(part.usage);
      heard.finished = isWhole(part.finishReason);
      return;
    case "error":
      throw part.error;
  }
}

/**
 * Whether an answer came to its end. A connection that breaks early still gives a finish part: newer providers call
 * it interrupted, the others have no reason to give.
 */
function isWhole({ unified, raw }: LanguageModelV4FinishReason): boolean {
  if (unified === "error" || unified === "interrupted") return false;
  return unified !== "other" || raw !== undefined;
}

function turnFrom(heard: Heard, nowMs: number): ModelTurn {
  const { text, reasoning, calls, usage } = heard;
  return {
    text,
    reasoning,
    calls,
    usage,
    started_at_ms: heard.startedAtMs,
    first_token_at_ms: heard.firstTokenAtMs,
    ended_at_ms: nowMs,
  };
}

function requestMetrics({ usage, started_at_ms, first_token_at_ms }: ModelTurn) {
  return {
    ...usage,
    total_tokens: usage.input_tokens + usage.output_tokens,
    ...(first_token_at_ms !== null && {
      time_to_first_token: secondsBetween(started_at_ms, first_token_at_ms),
    }),
  };
}
