import type { Runnable, RunnableKind } from "../../shared/engine/define/runnable.ts";
import { defineWorkflow, type WorkflowStep } from "../../shared/engine/define/workflow.ts";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { Reply } from "../../shared/http/handler.ts";
import { continueComponentRun, createComponentRun } from "../../shared/runs/index.ts";
import type { WorkerDeps } from "../../shared/runs/worker.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { StepAnswer } from "../../shared/schemas/runs/pause-answers.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import type { StoredOutput } from "../../shared/schemas/runs/stored-output.ts";
import type { Db } from "../../shared/stores/db.ts";
import { type QueueSettings, queueWorld } from "../support/queue-world.ts";

const component = { kind: "workflow" as const, id: "flow" };
const continued = { stream: false, background: true, stream_events: true, fork: false, regenerate: false };

/** API function, queue and worker around one workflow. */
export function aWorkflowWorld(
  db: Db,
  steps: readonly WorkflowStep[],
  settings: Partial<QueueSettings> = {},
) {
  const flow = defineWorkflow({ id: "flow", name: "Flow", steps });
  const findRunnable = async (kind: RunnableKind, id: string): Promise<Runnable | undefined> =>
    kind === "workflow" && id === "flow" ? flow : undefined;
  const world = { ...queueWorld(db, settings), findRunnable, knowsRunnable: async () => true };
  const deliver = async (overrides: Partial<WorkerDeps> = {}): Promise<number> => {
    let delivered = 0;
    for (let next = world.queue.sent.shift(); next; next = world.queue.sent.shift()) {
      await world.deliver(next.job_id, { findRunnable, ...overrides }, next.hop);
      delivered += 1;
    }
    return delivered;
  };
  return {
    ...world,
    async submit(message: string, session_id?: string): Promise<AcceptedRun> {
      const request = world.request(message, session_id === undefined ? {} : { session_id });
      const answer = await createComponentRun({ ...request, component }, world);
      if (!(answer instanceof Reply) || answer.status !== 202) throw new Error("the run was not accepted");
      return answer.body as AcceptedRun; // as a background submission answers
    },
    /** Delivers messages until none is left. @returns how many it took */
    deliver,
    cancel: async (run: AcceptedRun): Promise<void> => {
      const found = await world.run(run);
      if (found) await cancelRun(db, found, epochSeconds(world.clock), world.settings.JOB_RETENTION_SECONDS);
    },
    output: async (run: AcceptedRun): Promise<StoredOutput> => {
      const found = await world.run(run);
      if (!found) throw new Error("the run is gone");
      return found.output;
    },
    goOn: ({ run_id, session_id }: AcceptedRun, answers: readonly StepAnswer[], admin = false) =>
      continueComponentRun(
        {
          ...world.request(""),
          ...(admin && {
            principal: { kind: "user", user_id: "maria", scopes: ["platform:admin"], admin: true },
          }),
          component,
          params: { run_id },
          body: { ...continued, session_id, step_requirements: JSON.stringify(answers) },
        },
        world,
      ),
  };
}
export type WorkflowWorld = ReturnType<typeof aWorkflowWorld>;
