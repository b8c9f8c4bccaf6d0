import { type LanguageModelV4StreamPart, NoContentGeneratedError } from "@ai-sdk/provider";
import type { Message, ProviderData } from "../schemas/run.ts";
import { answerForm } from "./answer-form.ts";
import { outputLimit } from "./budget/output-limit.ts";
import { buildPrompt, promptTools } from "./build-prompt.ts";
import type { Execution } from "./execution.ts";
import { type Heard, listen, type RequestedCall, startListening } from "./listening.ts";
import { secondsBetween, type Usage } from "./metrics.ts";
import { modelFault, type RunFault } from "./model-fault.ts";
import { providerDataOf } from "./provider-data.ts";
import { readUntilStopped } from "./read-until-stopped.ts";
import { toolChoiceOf } from "./tool-choice.ts";
import { untilStopped } from "./until-stopped.ts";
import { waitBeforeRetry } from "./wait-before-retry.ts";

/** What one model call gave. */
export type ModelTurn = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly RequestedCall[];
  readonly usage: Usage;
  /** What the provider wants to see again with this answer. */
  readonly provider_data?: ProviderData;
  readonly started_at_ms: number;
  readonly first_token_at_ms: number | null;
  readonly ended_at_ms: number;
};

export type ModelCall =
  | { readonly ended: "answered"; readonly turn: ModelTurn }
  /** `turn` holds what arrived before the call broke off. A call that the signal ended has a fault of no meaning. */
  | { readonly ended: "broken"; readonly turn: ModelTurn; readonly fault: RunFault };

/**
 * Calls the model and sends what it says, while it says it, as events. A call that failed before its first word is
 * made again as often as the agent allows; to those who follow the run it is one request.
 */
export async function callModel(messages: readonly Message[], execution: Execution): Promise<ModelCall> {
  const { agent, emit, ports, model } = execution;
  const { clock, signal } = ports;
  const startedAtMs = clock.now();
  const shown = { model: model.id, model_provider: model.provider };
  emit({ event: "ModelRequestStarted", ...shown });
  for (let failures = 1; ; failures += 1) {
    const call = await callOnce(messages, startedAtMs, execution);
    if (call.ended === "answered") {
      emit({ event: "ModelRequestCompleted", ...shown, ...requestMetrics(call.turn) });
      return call;
    }
    const isSilent = call.turn.first_token_at_ms === null && !signal.aborted;
    const waitMs = isSilent ? waitBeforeRetry(agent, failures, call.fault) : undefined;
    if (waitMs === undefined) return call;
    ports.warn?.("a model call is made again", { model: model.id, failures, wait_ms: waitMs });
    // A stop that ends the wait ends the next call too, which tells of it.
    await clock.sleep(waitMs, signal).catch(() => undefined);
  }
}

async function callOnce(
  messages: readonly Message[],
  startedAtMs: number,
  execution: Execution,
): Promise<ModelCall> {
  const { emit, model, ports } = execution;
  const { clock, signal } = ports;
  const heard = startListening();
  const ears = {
    emit,
    now: clock.now,
    warn: (warnings: readonly unknown[]) =>
      ports.warn?.("the model's provider warns", { model: model.id, warnings }),
  };
  const turn = () => turnFrom(heard, startedAtMs, execution);
  try {
    const stream = await openStream(messages, execution);
    for await (const part of readUntilStopped(stream, signal)) listen(heard, part, ears);
    if (!heard.finished) {
      throw new NoContentGeneratedError({ message: "the stream ended before the answer did" });
    }
    return { ended: "answered", turn: turn() };
  } catch (thrown) {
    return { ended: "broken", turn: turn(), fault: modelFault(thrown, clock.now()) };
  }
}

async function openStream(
  messages: readonly Message[],
  execution: Execution,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  const { agent, tools, answer, model: shown, ports } = execution;
  const { models, signal } = ports;
  const maxOutputTokens = outputLimit(execution);
  const toolChoice = toolChoiceOf(agent, messages);
  const resolved = await untilStopped(models.resolve(agent.model), signal);
  const { model, providerOptions } = resolved;
  const { stream } = await untilStopped(
    model.doStream({
      ...answerForm(buildPrompt(messages, shown), answer, resolved),
      ...(tools.length > 0 && { tools: promptTools(tools), ...(toolChoice && { toolChoice }) }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(providerOptions && { providerOptions }),
      abortSignal: signal,
    }),
    signal,
  );
  return stream;
}

function turnFrom(heard: Heard, started_at_ms: number, { model, ports }: Execution): ModelTurn {
  const { text, reasoning, calls, usage } = heard;
  const provider_data = providerDataOf(heard, model);
  return {
    text,
    reasoning,
    calls,
    usage,
    ...(provider_data && { provider_data }),
    started_at_ms,
    first_token_at_ms: heard.firstTokenAtMs,
    ended_at_ms: ports.clock.now(),
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
