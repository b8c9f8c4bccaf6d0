import { ServiceError } from "../../../shared/errors.ts";
import { openaiError } from "../../../shared/http/openai-refusal.ts";
import type { Component, EventFrames, FramedRun, RunsDeps } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { inOrder } from "../../../shared/runtime/promises.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import { isBeginningOf, isEndOf } from "../../../shared/stores/runs/event-base.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import { type ChatEnd, COMPLETION, chatEnd } from "./chat-end.ts";
import { addressOf } from "./run-address.ts";

type Asked = {
  readonly component: Component;
  /** As the client named it. */
  readonly model: string;
  readonly origin: string;
  /** Whether the last chunk says what was used. */
  readonly includesUsage: boolean;
};

const DONE = "data: [DONE]\n\n";
const frameOf = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** The events of one run as chunks of chat completions: the run's own text, then how it ended. */
export const chatFrames =
  ({ component, model, origin, includesUsage }: Asked, { db, clock }: Pick<RunsDeps, "db" | "clock">) =>
  (run: FramedRun): EventFrames => {
    const { run_id, session_id, owner } = run;
    const base = {
      id: addressOf(COMPLETION, { component, session_id, run_id }),
      object: "chat.completion.chunk",
      created: epochSeconds(clock),
      model,
    };
    const none = includesUsage ? { usage: null } : {};
    const chunk = (delta: object, finish_reason: ChatEnd["finish_reason"] | null = null): string =>
      frameOf({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...none });
    let said = "";
    let hasBegun = false;
    let hasEnded = false;
    const next = inOrder();
    const failed = (error: ServiceError): string => frameOf(openaiError(error).body) + DONE;
    const say = (text: string): string => {
      said += text;
      return text === "" ? "" : chunk({ content: text });
    };
    const end = async (refusal?: string): Promise<string> => {
      if (hasEnded) return "";
      hasEnded = true;
      const record =
        owner === undefined
          ? undefined
          : await getRun(db, { owner, session_id, run_id }, epochSeconds(clock));
      if (!record) return failed(new ServiceError("BAD_REQUEST", refusal ?? "there is no such run"));
      try {
        const { rest, calls, finish_reason, usage } = chatEnd(record, component, said, origin);
        const tool_calls = calls.map((call, index) => ({ index, ...call }));
        return [
          say(rest),
          ...(tool_calls.length > 0 ? [chunk({ tool_calls })] : []),
          chunk({}, finish_reason),
          ...(includesUsage ? [frameOf({ ...base, choices: [], usage })] : []),
          DONE,
        ].join("");
      } catch (error) {
        if (error instanceof ServiceError) return failed(error);
        throw error;
      }
    };
    const of = async (event: RecordedEvent): Promise<string> => {
      if (hasEnded) return "";
      if (isEndOf(run_id, event)) return end("content" in event ? String(event.content) : undefined);
      if (isBeginningOf(run_id, event)) {
        // What an attempt before has said cannot be taken back; the new one says it in a paragraph of its own.
        const separates = hasBegun && said !== "";
        hasBegun = true;
        return separates ? chunk({ content: "\n\n" }) : "";
      }
      const isOwn =
        event.run_id === run_id && (event.event === "RunContent" || event.event === "TeamRunContent");
      return isOwn ? say(event.content) : "";
    };
    return {
      opening: async () => chunk({ role: "assistant", content: "", refusal: null }),
      of: (event) => next(() => of(event)),
      goesOn: () => next(() => end()),
      closing: () => next(() => end()),
    };
  };
