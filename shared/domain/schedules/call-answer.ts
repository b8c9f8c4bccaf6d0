import * as v from "valibot";
import type { ScheduleCall } from "./schedule-call.ts";

/** What came of a call, as far as anybody can tell. */
export type CallAnswer =
  | { readonly answered: true; readonly status: number; readonly body: string }
  /** No answer: the function broke, the time was over, or nobody knows whether there was a call. */
  | { readonly answered: false; readonly error: string };

/** How an attempt goes on after its call. */
export type CallOutcome =
  | { readonly outcome: "started"; readonly run_id: string; readonly session_id: string }
  | { readonly outcome: "success"; readonly status_code: number }
  | ({ readonly outcome: "failed" } & AttemptFailure);

export type AttemptFailure = { readonly status_code: number | null; readonly error: string };

/** An error is a text for people; a whole answer of a megabyte is none, and has no place in a record. */
const MAX_ERROR_LENGTH = 8_000;

const Started = v.object({ run_id: v.string(), session_id: v.string() });

/**
 * Reads the answer of an attempt's call.
 *
 * @source contract, schedules section 8
 */
export function readCallAnswer(kind: ScheduleCall["kind"], answer: CallAnswer): CallOutcome {
  if (!answer.answered) return failed(null, answer.error);
  const { status, body } = answer;
  if (status < 200 || status >= 300) return failed(status, body);
  if (kind === "once") return { outcome: "success", status_code: status };
  const started = v.safeParse(Started, parsed(body));
  if (started.success) return { outcome: "started", ...started.output };
  return failed(status, `the answer names no run and session: ${body}`);
}

const failed = (status_code: number | null, error: string): CallOutcome => ({
  outcome: "failed",
  status_code,
  error: error.slice(0, MAX_ERROR_LENGTH),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
