import type { SessionSummary } from "../../schemas/sessions/session.ts";
import type { Answer } from "../model/collect-answer.ts";
import { transcript } from "../prompt/transcript.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { queryModel } from "./query-model.ts";

const TASK =
  "Sum the conversation up in a few sentences for whoever continues it: what was asked, what was found or decided, what is open. Keep what an earlier summary says and is still true. Answer with the summary alone.";

export type Summarized = { readonly session_summary?: SessionSummary; readonly answer?: Answer };

/**
 * Summarizes the session from its earlier summary and the messages of this run.
 *
 * @throws the signal's reason
 * @source docs/interface/runs.md 5.7
 */
export async function summarizeSession(state: RunState, execution: Execution): Promise<Summarized> {
  const { emit, ports, request } = execution;
  emit({ event: "SessionSummaryStarted" });
  const earlier = request.session_summary?.summary;
  const said = transcript(state.messages.filter(({ from_history }) => !from_history));
  const material = earlier === undefined ? said : `Earlier summary: ${earlier}\n\n${said}`;
  const answer = await queryModel({ name: "session-summary", task: TASK, material }, state, execution);
  const session_summary =
    answer && answer.text !== ""
      ? { summary: answer.text, updated_at: new Date(ports.clock.now()).toISOString() }
      : undefined;
  emit({ event: "SessionSummaryCompleted", ...(session_summary && { session_summary }) });
  return { ...(session_summary && { session_summary }), ...(answer && { answer }) };
}
