import type { StepOutput, WorkflowRunOutput } from "../../client/index.ts";
import { Badge } from "../parts/badge.tsx";
import { Answer, Bubble, Folded, Written } from "./message.tsx";
import { Thread } from "./thread.tsx";

/** As much of a workflow's run as its conversation takes. */
export type SaidWorkflowRun = Pick<
  WorkflowRunOutput,
  "input" | "content" | "status" | "step_results" | "step_executor_runs" | "workflow_name"
>;

/** What a workflow was given, what each step gave, and what came of it. */
export function WorkflowThread({
  run,
  session,
}: {
  readonly run: SaidWorkflowRun;
  readonly session: string;
}) {
  const input = typeof run.input === "string" ? run.input : JSON.stringify(run.input, null, 2);
  const executed = new Map((run.step_executor_runs ?? []).map((one) => [one.run_id, one]));
  return (
    <div className="thread">
      <Bubble by="user">
        <Written text={input} />
      </Bubble>
      {run.step_results.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step in a loop has several results, in their order
        <StepBubble key={`${step.step_id}-${at}`} step={step} />
      ))}
      {executed.size > 0 && (
        <Folded title={`Runs of the steps (${executed.size})`}>
          <div className="thread">
            {[...executed.values()].map((one) => (
              <Folded key={one.run_id} title={one.agent_name ?? one.team_name ?? one.run_id}>
                <Thread run={one} session={session} />
              </Folded>
            ))}
          </div>
        </Folded>
      )}
      {run.status === "COMPLETED" && run.content !== undefined && (
        <Bubble by="assistant" name={run.workflow_name}>
          <Answer content={run.content} />
        </Bubble>
      )}
    </div>
  );
}

function StepBubble({ step }: { readonly step: StepOutput }) {
  const { step_name, step_type, content, success, error } = step;
  return (
    <Bubble
      by="system"
      name={step_name}
      about={
        <>
          {step_type} {success === false && <Badge tone="bad">Failed</Badge>}
        </>
      }
    >
      {error ? <Written text={error} /> : <Answer content={content} />}
    </Bubble>
  );
}
