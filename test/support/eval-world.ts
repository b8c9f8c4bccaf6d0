import type { LanguageModelV4Message } from "@ai-sdk/provider";
import * as v from "valibot";
import { createEval } from "../../functions/evals/create-eval.ts";
import type { EvalsDeps } from "../../functions/evals/evals-deps.ts";
import { removeEvals } from "../../functions/evals/remove-evals.ts";
import { findInRegistry } from "../../shared/engine/component/find-runnable.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import { messageText } from "../../shared/engine/model/parse-script.ts";
import type { EvalDeps } from "../../shared/evals/eval-deps.ts";
import { processEval } from "../../shared/evals/process-eval.ts";
import { addressOf } from "../../shared/evals/trial-run.ts";
import { Reply } from "../../shared/http/handler.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { CreateEvalBody } from "../../shared/schemas/evals/eval-bodies.ts";
import type { EvalRun } from "../../shared/schemas/evals/eval-run.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getEval } from "../../shared/stores/evals/eval-item.ts";
import { evalWork } from "../../shared/stores/evals/eval-work.ts";
import { listTrials } from "../../shared/stores/evals/list-trials.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { manualClock } from "./manual-clock.ts";
import { noDailyBudgets } from "./no-daily-budgets.ts";
import { T0 } from "./records.ts";
import { registry } from "./registry/index.ts";

const LIFE_MS = 900_000;

/** API function, queue, eval worker and sweeper in one process, over a real store, with time and deliveries in the test's hand. */
export function evalWorld(db: Db) {
  const clock = manualClock(T0 * 1000);
  const errors: string[] = [];
  const sent: string[] = [];
  const asked = new Map<string, number>();
  const listeners: (() => void)[] = [];
  const onAsked = (message: LanguageModelV4Message | undefined) => {
    const words = messageText(message);
    asked.set(words, (asked.get(words) ?? 0) + 1);
    for (const listener of listeners) listener();
  };
  const deps = {
    db,
    clock,
    queue: { send: async ({ eval_id }: { eval_id: string }) => void sent.push(eval_id) },
    models: watched(createModels({ MODEL: "scripted" }), onAsked),
    dailyBudgets: noDailyBudgets,
    registry,
    findRunnable: findInRegistry(registry),
    newId,
    newWorkerId: newId,
    memoryMib: () => 100,
    log: { info: () => {}, warn: () => {}, error: (text: string) => void errors.push(text) },
    settings: { EXECUTION_TIMEOUT_SECONDS: 3600, APPROVAL_EXPIRES_SECONDS: 0, JUDGE_MODEL: undefined },
  } satisfies EvalDeps & EvalsDeps;
  const request = {
    params: {},
    query: {},
    headers: {},
    principal: { kind: "user" as const, user_id: "maria", scopes: ["agents:run"], admin: false },
    signal: new AbortController().signal,
    invocation: {},
  };
  const deliver = (id: string, over: Partial<EvalDeps> = {}, lifeMs = LIFE_MS) =>
    processEval({ ...deps, ...over }, id, lifeMs);
  return {
    ...deps,
    sent,
    errors,
    deliver,
    advance: clock.advance,
    /** How often a model was asked exactly this. */
    asked: (message: string) => asked.get(message) ?? 0,
    /** Calls back whenever a model is asked. */
    onAsked: (listener: () => void) => void listeners.push(listener),
    /** Asks for an evaluation as the route does, in the background. */
    async ask(body: object): Promise<EvalRun> {
      const parsed = v.parse(CreateEvalBody, { agent_id: "assistant", background: true, ...body });
      const answer = await createEval({ ...request, body: parsed }, deps);
      if (!(answer instanceof Reply) || answer.status !== 202)
        throw new Error("the evaluation was not accepted");
      return answer.body as EvalRun; // as the route says
    },
    remove: (ids: string[]) => removeEvals({ ...request, body: { eval_run_ids: ids } }, deps),
    async deliverAll(): Promise<number> {
      const waiting = sent.splice(0);
      for (const id of waiting) await deliver(id);
      return waiting.length;
    },
    sweep: () => evalWork.sweep(db, deps.queue, epochSeconds(clock)),
    state: (id: string) => getEval(db, id),
    trials: (id: string) => listTrials(db, id, 0, 1_000),
    /** The run of one trial. */
    run: async (id: string, trial: number) => {
      const record = await getEval(db, id);
      if (!record) throw new Error("there is no such evaluation");
      const at = addressOf({ record: { ...record, worker: "" } }, trial);
      return getRun(db, at, epochSeconds(clock));
    },
  };
}

export type EvalWorld = ReturnType<typeof evalWorld>;

/** The same models with a listener for the last thing that each call says. */
function watched(models: Models, onAsked: (message: LanguageModelV4Message | undefined) => void): Models {
  return {
    ...models,
    resolve: async (spec) => {
      const resolved = await models.resolve(spec);
      const doStream: typeof resolved.model.doStream = (options) => {
        onAsked(options.prompt.findLast(({ role }) => role === "user"));
        return resolved.model.doStream(options);
      };
      return { ...resolved, model: { ...resolved.model, doStream } };
    },
  };
}
