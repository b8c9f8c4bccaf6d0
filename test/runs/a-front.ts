import * as v from "valibot";
import { expect } from "vitest";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import { Reply } from "../../shared/http/handler.ts";
import type { SuspendTimes, WaitLimits } from "../../shared/http/wait-limits.ts";
import type { Wakeup } from "../../shared/queue/run-queue.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import type { CreateRunForm } from "../../shared/schemas/runs/run-forms.ts";
import type { Db } from "../../shared/stores/db.ts";
import { type QueueSettings, queueWorld } from "../support/queue-world.ts";
import { watchedModels } from "../support/simulated/agents.ts";

export const always = (times: SuspendTimes): WaitLimits => ({ answer: times, stream: times });

/** A run in the foreground of an agent whose tool counts its calls, behind a front that waits for so long. */
export function aFront(db: Db, waitLimits: WaitLimits, settings: Partial<QueueSettings> = {}) {
  const calls: string[] = [];
  const world = queueWorld(db, settings);
  const modelCalls: string[] = [];
  let duringModelCall = (_nth: number) => {};
  const models = watchedModels(world.models, {
    acts: (what) => duringModelCall(modelCalls.push(what)),
  });
  const count = defineTool({
    name: "count",
    description: "Count.",
    parameters: v.object({}),
    effect: "safe",
    execute: async (_, { run_id, signal }) => {
      calls.push(run_id);
      await duringCall(run_id, signal);
      return `call ${calls.length}`;
    },
  });
  let duringCall = async (_runId: string, _signal: AbortSignal) => {};
  const agent = defineAgent({ id: "assistant", name: "Assistant", tools: [count] });
  const findRunnable = async () => agent;
  const later: Promise<void>[] = [];
  const ask = (message: string, form: Partial<CreateRunForm> = {}, overrides: Partial<typeof world> = {}) =>
    createComponentRun(
      { ...world.request(message, { background: false, ...form }), invocation: { waitLimits } },
      { ...world, models, findRunnable, ...overrides },
    );
  return {
    ...world,
    ask,
    /** The same at an entry point where the function may work on after its answer. */
    askLasting: (message: string, form: Partial<CreateRunForm> = {}, overrides: Partial<typeof world> = {}) =>
      createComponentRun(
        {
          ...world.request(message, { background: false, ...form }),
          invocation: { waitLimits, afterAnswer: (work) => void later.push(work) },
        },
        { ...world, models, findRunnable, ...overrides },
      ),
    /** What the functions do after their answers. */
    afterAnswers: () => Promise.all(later),
    calls: () => calls.length,
    modelCalls: () => modelCalls.length,
    onCall: (act: (runId: string, signal: AbortSignal) => Promise<void>) => {
      duringCall = act;
    },
    /** Lets so much time pass as the model is asked for the n-th time, counted from 1. */
    timePassesInModelCalls: (nth: readonly number[], ms: number) => {
      duringModelCall = (call) => nth.includes(call) && world.clock.advance(ms);
    },
    deliver: ({ job_id, hop }: Wakeup) => world.deliver(job_id, { findRunnable, models }, hop),
    /** Delivers what was sent, until nothing more comes. */
    deliverSent: async () => {
      for (let sent = world.queue.sent.shift(); sent; sent = world.queue.sent.shift())
        await world.deliver(sent.job_id, { findRunnable, models }, sent.hop);
    },
  };
}

/** What a request for a whole answer was answered with. */
export async function accepted(answer: Promise<unknown>): Promise<AcceptedRun> {
  const reply = await answer;
  if (!(reply instanceof Reply)) throw new Error(`expected 202, got ${JSON.stringify(reply)}`);
  expect(reply.status).toBe(202);
  return reply.body as AcceptedRun;
}
