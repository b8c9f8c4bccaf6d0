import * as v from "valibot";
import type { ScheduleCall } from "./schedule-call.ts";

/** The result of a call, as far as it is known. */
export type CallAnswer =
  | { readonly answered: true; readonly status: number; readonly body: string }
  /** No answer: the function failed, the call timed out, or it is not known whether there was a call. */
  | { readonly answered: false; readonly error: string };

/** What follows for an attempt after its call. */
export type CallOutcome =
  | { readonly outcome: "started"; readonly run_id: string; readonly session_id: string }
  | { readonly outcome: "success"; readonly status_code: number }
  | ({ readonly outcome: "failed" } & AttemptFailure);

export type AttemptFailure = { readonly status_code: number | null; readonly error: string };

/** An error is a text for people, so a whole answer of a megabyte is not stored in a record. */
const MAX_ERROR_LENGTH = 8_000;

const Started = v.object({ run_id: v.string(), session_id: v.string() });

/**
 * Reads the answer of an attempt's call.
 *
 * @source docs/interface/schedules.md 5.3
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
