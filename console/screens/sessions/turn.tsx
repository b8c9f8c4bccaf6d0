import { Link } from "wouter";
import { errorText, type Kind, runPath } from "../../api/kinds.ts";
import { Thread } from "../../conversation/thread.tsx";
import { WorkflowThread } from "../../conversation/workflow-thread.tsx";
import { Status } from "../../parts/badge.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import type { RunRow } from "./use-session-runs.ts";

type TurnProps = {
  readonly run: RunRow;
  readonly session: string;
  /** Of the component, for the answers. */
  readonly name: string;
};

/** One run of a session as a part of its conversation. */
export function Turn({ run, session, name }: TurnProps) {
  const place = placeOf(run, session);
  return (
    <div className="turn">
      <div className="turn-head">
        <Time at={run.created_at} />
        {run.status !== "COMPLETED" && <Status of={run.status} />}
        {place && <Link href={runPath(place)}>Open the run</Link>}
      </div>
      <Said run={run} session={session} name={name} />
      {run.status === "ERROR" && <Notice tone="bad">{errorText(run)}</Notice>}
    </div>
  );
}

function placeOf(run: RunRow, session: string) {
  const [kind, component]: readonly [Kind, string | null | undefined] =
    "step_results" in run
      ? ["workflow", run.workflow_id]
      : "team_id" in run
        ? ["team", run.team_id]
        : ["agent", run.agent_id];
  return component ? { kind, component, session, run: run.run_id } : undefined;
}

function Said({ run, session, name }: TurnProps) {
  if ("step_results" in run) {
    const { step_executor_runs, ...rest } = run;
    const said = {
      ...rest,
      workflow_name: name,
      input: run.run_input,
      ...(step_executor_runs && { step_executor_runs }),
    };
    return <WorkflowThread run={said} session={session} />;
  }
  // What came before is above, and the system message is the run's page's to show.
  const messages = (run.messages ?? []).filter(
    ({ role, from_history }) => role !== "system" && !from_history,
  );
  const { images, videos, audios, files } = run.input_media;
  const said = {
    messages,
    tools: run.tools ?? [],
    input: { input_content: run.run_input, images, videos, audios, files },
    ...((run.status !== "ERROR" || run.error !== undefined) && { content: run.content }),
    agent_name: name,
  };
  return <Thread run={said} session={session} />;
}
