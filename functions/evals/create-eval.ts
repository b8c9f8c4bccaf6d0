import { callerOf } from "../../shared/auth/caller.ts";
import { requireRun } from "../../shared/auth/require-run.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { contentDigest } from "../../shared/evals/index.ts";
import type { EvalTarget } from "../../shared/evals/worker.ts";
import { type Handler, type HandlerRequest, Reply } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  evalWork,
  getDatasetCases,
  getEval,
  getEvalHead,
  type StoredEval,
  createEval as storeEval,
} from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { planEval } from "./plan-eval.ts";
import { visibleDataset } from "./visible-dataset.ts";
import { evalOwner, noEval } from "./visible-eval.ts";
import { wireEval } from "./wire-eval.ts";

type Request = HandlerRequest<typeof evalRoutes.createEval>;

/** How long a request waits for an evaluation: the HTTP API waits 30 seconds for the request. */
const WAIT_MS = 25_000;
/** Waits between two looks, the last one again and again. */
const POLL_MS = [50, 100, 200, 400];

/**
 * Has a component evaluated, and waits for it as long as a request can. The request itself runs nothing: the evaluation
 * is recorded before anything happens, so that it is not lost when this process ends.
 *
 *   request ─▶ record: running ─▶ message ─▶ eval worker … ─▶ record: completed
 *      └────────────── polls the record ───────────────────────────┴─▶ 200, or 202 when it takes longer
 */
export const createEval: Handler<typeof evalRoutes.createEval, EvalsDeps> = async (request, deps) => {
  const { body, principal, query, signal } = request;
  evalOwner(principal, query);
  const target = await findTarget(request, deps);
  const [component_digest, dataset] = await Promise.all([
    contentDigest(deps.db, target),
    findDataset(request, deps),
  ]);
  const { record, plan } = planEval(body, target, {
    component_digest,
    ...(dataset && { dataset }),
    id: deps.newId(),
    user_id: callerOf(principal).user_id,
    now: epochSeconds(deps.clock),
    models: deps.models,
    registry: deps.registry,
    judgeModel: deps.settings.JUDGE_MODEL,
  });
  await storeEval(deps.db, record, plan, dataset?.seen);
  await evalWork.wake(deps, { eval_id: record.id });
  const ended = body.background ? undefined : await awaitEnd(deps, record.id, signal);
  return ended ? wireEval(ended) : new Reply(202, wireEval(record));
};

/** The agent or the team to evaluate, at the version that the request names. A caller who may not run it may not evaluate it: the runs are real. */
async function findTarget({ body, principal }: Request, { findRunnable }: EvalsDeps): Promise<EvalTarget> {
  const { agent_id, team_id } = body;
  const version = body.version ?? undefined;
  const [type, id] = agent_id ? (["agent", agent_id] as const) : (["team", team_id] as const);
  if (!id || (agent_id && team_id)) {
    throw new ServiceError("BAD_REQUEST", "give either agent_id or team_id: it says what is evaluated");
  }
  requireRun(principal, [{ type, id }]);
  const runnable = await findRunnable(type, id, {
    reader: callerOf(principal),
    version,
    requireRun: (targets) => requireRun(principal, targets),
  });
  if (!runnable || runnable.kind === "workflow") throw notFound(type, id);
  if (version !== undefined && runnable.version === undefined) {
    throw new ServiceError("BAD_REQUEST", `${type} ${id} is declared in code, and has no versions`);
  }
  return runnable;
}

/** The cases of the dataset that the request names, at the version that it names or the newest one. */
async function findDataset({ body, principal, query }: Request, { db }: EvalsDeps) {
  const { dataset_id: id, dataset_version } = body;
  if (id === undefined || id === null) return undefined;
  const seen = await visibleDataset(db, principal, id, query);
  const version = dataset_version ?? seen.version;
  const cases = await getDatasetCases(db, id, version);
  if (!cases) throw notFound("version", `${version} of dataset ${id}`);
  const left = cases
    .filter(({ erased }) => !erased)
    .map(({ tags: _t, split: _s, source: _o, ...one }) => one);
  if (left.length > 0) return { id, version, cases: left, seen };
  const why = cases.length === 0 ? "has no cases" : "has erased cases alone";
  throw new ServiceError("BAD_REQUEST", `version ${version} of dataset ${id} ${why}`);
}

/** @returns undefined when it takes longer than the request may */
async function awaitEnd(
  { db, clock }: EvalsDeps,
  id: string,
  signal: AbortSignal,
): Promise<StoredEval | undefined> {
  const until = clock.now() + WAIT_MS;
  for (let poll = 0; clock.now() < until && !signal.aborted; poll += 1) {
    await clock.sleep(POLL_MS[poll] ?? 500);
    const head = await getEvalHead(db, id);
    if (!head) throw noEval(id);
    if (head.status !== "running") return getEval(db, id);
  }
  return undefined;
}
