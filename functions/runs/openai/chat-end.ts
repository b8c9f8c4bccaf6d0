import { errorText } from "../../../shared/domain/runs/outcome-of-run.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { type OpenInterrupt, openInterrupts } from "../../../shared/pauses/open-interrupts.ts";
import type { Component } from "../../../shared/runs/index.ts";
import type { ChatCall, ChatCompletion, ChatUsage } from "../../../shared/schemas/openai/chat-completion.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { addressOf } from "./run-address.ts";

export const CALL = "call_";
export const COMPLETION = "chatcmpl-";

/** How a run ended, or why it rests, in the words of chat completions. */
export type ChatEnd = {
  /** What is said in addition to what was streamed; the whole answer where nothing was. */
  readonly rest: string;
  readonly calls: readonly ChatCall[];
  readonly finish_reason: ChatCompletion["choices"][number]["finish_reason"];
  readonly usage: ChatUsage;
};

/**
 * The end of a run as its record has it.
 *
 * @param said    what was sent of its own text already
 * @param origin  address of the service, for what a person decides elsewhere
 * @throws ServiceError for a run that failed, was cancelled, or goes on
 */
export function chatEnd(run: StoredRun, component: Component, said: string, origin: string): ChatEnd {
  const usage = usageOf(run);
  if (run.status === "PAUSED") return { ...pauseOf(run, component, said, origin), usage };
  if (run.status !== "COMPLETED") throw endedOtherwise(run);
  const { content, finish_reason } = run.output;
  const whole = typeof content === "string" ? content : JSON.stringify(content ?? "");
  return {
    rest: said === "" ? whole : "",
    calls: [],
    finish_reason: finish_reason === "content-filter" ? "content_filter" : (finish_reason ?? "stop"),
    usage,
  };
}

/** What a run waits for that its client does not answer, and where a person does. */
export function pauseText(open: readonly OpenInterrupt[], origin: string): string {
  const asked = open.map(({ interrupt, call }) =>
    call ? `${interrupt.message} ${call.name} ${JSON.stringify(call.args)}` : interrupt.message,
  );
  return `${asked.join("\n")}\nThe run waits for this; a person answers it at ${origin}/console`;
}

function pauseOf(run: StoredRun, component: Component, said: string, origin: string): Omit<ChatEnd, "usage"> {
  const open = openInterrupts(run);
  const others = open.filter(({ isClientTool }) => !isClientTool);
  if (others.length > 0) {
    const text = pauseText(others, origin);
    return { rest: said === "" ? text : `\n\n${text}`, calls: [], finish_reason: "stop" };
  }
  const { run_id, session_id } = run;
  const calls = open.flatMap(({ call }) =>
    call
      ? [
          {
            id: addressOf(CALL, { component, session_id, run_id, call_id: call.id }),
            type: "function" as const,
            function: { name: call.name, arguments: JSON.stringify(call.args ?? {}) },
          },
        ]
      : [],
  );
  return { rest: "", calls, finish_reason: "tool_calls" };
}

/** The clients repeat requests that fail so, and a repeated one would begin another run. */
const NOT_AGAIN = { "x-should-retry": "false" };

function endedOtherwise(run: StoredRun): ServiceError {
  const { status, run_id, session_id } = run;
  const at = `run ${run_id} of session ${session_id}`;
  if (status === "CANCELLED")
    return new ServiceError("CONFLICT", `${at} was cancelled`, { headers: NOT_AGAIN });
  if (status === "ERROR")
    return new ServiceError("INTERNAL_SERVER_ERROR", errorText(run.output), { headers: NOT_AGAIN });
  return new ServiceError("UNAVAILABLE", `${at} goes on without this request`, { headers: NOT_AGAIN });
}

export function usageOf({ output }: Pick<StoredRun, "output">): ChatUsage {
  const {
    input_tokens = 0,
    output_tokens = 0,
    cache_read_tokens = 0,
    reasoning_tokens = 0,
  } = output.total_metrics ?? output.metrics ?? {};
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens: cache_read_tokens },
    completion_tokens_details: { reasoning_tokens },
  };
}
