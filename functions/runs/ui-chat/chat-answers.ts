import { ServiceError } from "../../../shared/errors.ts";
import { decisionOf } from "../../../shared/pauses/ask-call.ts";
import { ownCallId } from "../../../shared/pauses/call-id.ts";
import {
  type Answers,
  answerFields,
  type OpenInterrupt,
  openInterrupts,
  runOfInterrupt,
} from "../../../shared/pauses/open-interrupts.ts";
import type { UiMessage, UiPart } from "../../../shared/schemas/ui-chat/ui-message.ts";
import { isObject } from "../../../shared/schemas/values/json-values.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";

/** What a client's message answers, by the ids of what was asked. */
export type Given = {
  /** Decisions, by interrupt. */
  readonly decisions: ReadonlyMap<string, ReturnType<typeof decisionOf>>;
  /** Outputs of tools that the client executes, by call. */
  readonly outputs: ReadonlyMap<string, string>;
};

/** A message keeps what it answered before; what of it is open, the run says. */
export function givenIn({ parts }: UiMessage): Given {
  const tools = parts.filter(({ type }) => type === "dynamic-tool" || type.startsWith("tool-"));
  return {
    decisions: new Map(tools.flatMap(decisionIn)),
    outputs: new Map(tools.flatMap(outputIn)),
  };
}

function decisionIn({ state, approval }: UiPart) {
  if (state !== "approval-responded" || !isObject(approval)) return [];
  const { id, approved, reason } = approval;
  if (typeof id !== "string" || typeof approved !== "boolean") return [];
  return [[id, decisionOf(approved, reason)] as const];
}

function outputIn({ state, toolCallId, providerExecuted, output, errorText }: UiPart) {
  if (typeof toolCallId !== "string" || providerExecuted === true) return [];
  if (state === "output-error") return [[toolCallId, `error: ${String(errorText)}`] as const];
  if (state !== "output-available") return [];
  return [[toolCallId, typeof output === "string" ? output : JSON.stringify(output ?? null)] as const];
}

/** The runs that the answers name, the newest first. */
export function runsNamedIn({ decisions, outputs }: Given): readonly string[] {
  const named = [
    ...[...outputs.keys()].map((id) => ownCallId(id)?.run_id),
    ...[...decisions.keys()].map(runOfInterrupt),
  ];
  return [...new Set(named.flatMap((one) => one ?? []))].reverse();
}

/** What a client of this interface answered, in the form of a continuation. */
export type Answered = {
  readonly fields: Readonly<Record<string, string>>;
  /** Calls of the message, which its client has. */
  readonly shownCalls: ReadonlySet<string>;
  readonly answeredCalls: ReadonlySet<string>;
  /** Calls that were refused just now. */
  readonly deniedCalls: readonly string[];
};

/** @throws ServiceError CONFLICT where the run waits for none of it (any more) */
export function answeredIn(run: StoredRun, given: Given, message: UiMessage): Answered {
  const open = openInterrupts(run);
  const answers = open.flatMap((one) => answerTo(one, given) ?? []);
  if (answers.length === 0)
    throw new ServiceError(
      "CONFLICT",
      `run ${run.run_id} does not wait for what this message answers; it may have been answered before`,
    );
  return {
    fields: answerFields(answers),
    shownCalls: new Set(
      message.parts.flatMap(({ toolCallId }) => (typeof toolCallId === "string" ? [toolCallId] : [])),
    ),
    answeredCalls: new Set(given.outputs.keys()),
    deniedCalls: open.flatMap(({ interrupt, call }) =>
      call && given.decisions.get(interrupt.id)?.confirmed === false ? [call.id] : [],
    ),
  };
}

function answerTo(
  { interrupt, call, answer }: OpenInterrupt,
  { decisions, outputs }: Given,
): Answers | undefined {
  const decision = decisions.get(interrupt.id);
  if (decision) return answer(decision);
  const output = call && outputs.get(call.id);
  return output === undefined || interrupt.reason !== "external_execution" ? undefined : answer(output);
}
