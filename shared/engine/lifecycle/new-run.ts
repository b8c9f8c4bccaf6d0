import { derivedName } from "../../domain/sessions/session-state.ts";
import { foreignSpanIn } from "../../domain/traceparent.ts";
import type { InputMedia } from "../../schemas/runs/media.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { StoredSession } from "../../stores/sessions/session-item.ts";
import { withOwnInputs } from "../define/agent.ts";
import { modelViewOf } from "../define/remote-agent.ts";
import type { Runnable } from "../define/runnable.ts";
import type { Models } from "../model/models.ts";

export type NewRun = {
  readonly run_id: string;
  readonly session_id: string;
  /** Whether the session is created for it. */
  readonly opens_session: boolean;
  /** The owner of the run, and the user who requested it. */
  readonly owner: string | null;
  readonly user_id: string | null;
  readonly input: string;
  /** Its input files, already stored. */
  readonly media?: InputMedia;
  readonly kwargs: Readonly<Record<string, unknown>>;
  readonly session_state: Record<string, unknown>;
  readonly metadata?: Record<string, unknown>;
  /** As its request named it; a malformed one counts as none. */
  readonly traceparent?: string | undefined;
  /** Epoch seconds. */
  readonly now: number;
};

/** The record of a run that was accepted and has not begun. */
export function newRun(runnable: Runnable, accepted: NewRun, models: Pick<Models, "describe">): StoredRun {
  const { run_id, session_id, user_id, session_state, metadata } = withOwnInputs(runnable, accepted);
  return {
    run_id,
    session_id,
    owner: accepted.owner,
    component_type: runnable.kind,
    component_id: runnable.id,
    ...(runnable.version !== undefined && { component_version: runnable.version }),
    status: "PENDING",
    attempt: 0,
    queued: false,
    opens_session: accepted.opens_session,
    ...(foreignSpanIn(accepted.traceparent) && { traceparent: accepted.traceparent }),
    kwargs: accepted.kwargs,
    output: {
      run_id,
      session_id,
      ...(user_id !== null && { user_id }),
      ...blankOutput(runnable, models),
      input: { input_content: accepted.input, ...accepted.media },
      session_state,
      ...(metadata && { metadata }),
      created_at: accepted.now,
      status: "PENDING",
    },
  };
}

/** The session that a run creates. */
export function newSessionFor(run: StoredRun): StoredSession {
  const { session_state = {}, created_at, input } = run.output;
  return {
    session_id: run.session_id,
    session_type: run.component_type,
    component_id: run.component_id,
    user_id: run.owner,
    derived_name: derivedName(input.input_content),
    session_state,
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 0,
    created_at,
    updated_at: created_at,
  };
}

/** The fields of a run's output that name its component and model, before the run has begun. */
function blankOutput(
  runnable: Runnable,
  models: Pick<Models, "describe">,
): Partial<Omit<StoredOutput, "metrics">> {
  const { id, name } = runnable;
  if (runnable.kind === "workflow") return { workflow_id: id, workflow_name: name, step_results: [] };
  const model = modelViewOf(runnable, models);
  const shown = { model: model.id, model_provider: model.provider };
  return runnable.kind === "team"
    ? { team_id: id, team_name: name, ...shown, member_responses: [] }
    : { agent_id: id, agent_name: name, ...shown };
}
