import * as v from "valibot";
import type { CountedRun, CountedSession } from "../../domain/metrics/day-count.ts";
import type { CountedCall } from "../../domain/metrics/day-groups.ts";
import { batchGet } from "../batch-get.ts";
import { type Db, queryPages } from "../db.ts";
import { Large, unspillFields } from "../objects/spill.ts";
import { sessionRunsKey } from "../runs/run-keys.ts";
import { sessionKey, tokenSums } from "../sessions/session-item.ts";
import type { SessionRow } from "../sessions/session-listing.ts";

/** A session of the day, with its id. */
export type SessionFigures = CountedSession & Pick<SessionRow, "session_id">;

const Sums = v.object({
  session_id: v.string(),
  created_at: v.number(),
  deleted_at: v.optional(v.number()),
  ...v.entriesFromList([...tokenSums], v.optional(v.number(), 0)),
});
const sumFields = ["session_id", "created_at", "deleted_at", ...tokenSums];

/** What sessions have used. Rows whose session is removed, or is another one with the same id, are left out. */
export async function readSessionFigures(db: Db, rows: readonly SessionRow[]): Promise<SessionFigures[]> {
  const keys = rows.map(({ session_id }) => sessionKey(session_id));
  const items = await batchGet(db, db.tables.sessions, keys, sumFields);
  const byId = new Map(items.map((item) => [String(item.session_id), v.parse(Sums, item)]));
  return rows.flatMap(({ session_id, session_type, user_id, created_at }) => {
    const seen = byId.get(session_id);
    if (!seen || seen.deleted_at !== undefined || seen.created_at !== created_at) return [];
    return [{ session_id, type: session_type, user_id, tokens: v.parse(v.pick(Sums, tokenSums), seen) }];
  });
}

const Used = v.object({
  input_tokens: v.optional(v.number(), 0),
  output_tokens: v.optional(v.number(), 0),
  cache_read_tokens: v.optional(v.number()),
  cost: v.optional(v.number()),
  duration: v.optional(v.number()),
});
const Call = v.object({
  tool_name: v.string(),
  tool_call_error: v.optional(v.nullable(v.boolean())),
  result: v.optional(v.nullable(v.string())),
  metrics: v.optional(v.nullable(v.object({ duration: v.number() }))),
});
type Call = v.InferOutput<typeof Call>;
const Calls = v.optional(v.array(Call), []);
const Output = v.object({
  model: v.optional(v.string()),
  model_provider: v.optional(v.string(), ""),
  metrics: v.optional(Used, {}),
  parent_run_id: v.optional(v.string()),
  tools: Calls,
});
const Tokens = v.object({
  input_tokens: v.optional(v.number(), 0),
  output_tokens: v.optional(v.number(), 0),
});
const Run = v.object({
  run_id: v.string(),
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  component_version: v.optional(v.number()),
  status: v.string(),
  output_large: v.optional(Large),
  counted: v.optional(Tokens),
  counted_before: v.optional(Tokens),
  output: v.optional(Output, {}),
});
type Run = v.InferOutput<typeof Run>;

/** A run of a session, with its id. */
export type RunFigures = CountedRun & { readonly run_id: string };

/** What the runs of a session have used, those of members and steps included. Their messages are not read. */
export async function readRunFigures(
  db: Db,
  { user_id, session_id }: Pick<SessionFigures, "user_id" | "session_id">,
): Promise<RunFigures[]> {
  const runs: Run[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :run)",
    ProjectionExpression:
      "run_id, component_type, component_id, component_version, #status, #counted, counted_before, output_large.#tools, #output.#tools, #output.#model, #output.model_provider, #output.#metrics, #output.parent_run_id",
    ExpressionAttributeNames: {
      "#output": "output",
      "#model": "model",
      "#metrics": "metrics",
      "#counted": "counted",
      "#status": "status",
      "#tools": "tools",
    },
    ExpressionAttributeValues: { ":pk": sessionRunsKey(user_id, session_id), ":run": "run#" },
  });
  for await (const { Items = [] } of pages) runs.push(...Items.map((item) => v.parse(Run, item)));
  const calls = await Promise.all(runs.map((run) => callsOf(db, run)));
  const own = runs.map((run, i) => countedRun(run, calls[i] ?? []));
  const shown = shownByRoot(runs, own);
  return runs.map((run, i) => {
    const { run_id } = run;
    return { run_id, ...withRest(own[i] ?? countedRun(run, []), run, shown.get(run_id) ?? NOTHING) };
  });
}

/** A workflow's own metrics are those of the runs within it. */
function countedRun(run: Run, calls: readonly CountedCall[]): CountedRun {
  const { component_type, component_id, component_version, status, output } = run;
  const { model, model_provider } = output;
  const metrics = component_type === "workflow" ? NOTHING : output.metrics;
  return {
    component: { type: component_type, id: component_id },
    version: component_version,
    failed: status === "ERROR",
    // Of a workflow too: it is its own time.
    seconds: output.metrics.duration,
    calls,
    ...(model !== undefined && { model: { id: model, provider: model_provider } }),
    input_tokens: metrics.input_tokens,
    output_tokens: metrics.output_tokens,
    cache_read_tokens: metrics.cache_read_tokens,
    cost: metrics.cost,
  };
}

/**
 * The calls of a run that were made: one that waits for a person was not yet. Those of a session that is just being removed may be gone
 * before its runs are.
 */
async function callsOf(db: Db, { output, output_large }: Run): Promise<readonly CountedCall[]> {
  const { tools } = await unspillFields(db, output, output_large, ["tools"]).catch(() => output);
  const isMade = ({ metrics, result }: Call): boolean => Boolean(metrics) || typeof result === "string";
  return v
    .parse(Calls, tools)
    .filter(isMade)
    .map(({ tool_name, tool_call_error, metrics }) => ({
      tool: tool_name,
      failed: tool_call_error === true,
      seconds: metrics?.duration,
    }));
}

const NOTHING = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cost: undefined };

type Counts = { readonly input_tokens: number; readonly output_tokens: number };

/** What the records of each run and of all runs within it show together, by the outermost run. */
function shownByRoot(runs: readonly Run[], own: readonly CountedRun[]): ReadonlyMap<string, Counts> {
  const parents = new Map(runs.map(({ run_id, output }) => [run_id, output.parent_run_id]));
  const rootOf = (run_id: string): string => {
    const parent = parents.get(run_id);
    return parent === undefined || !parents.has(parent) ? run_id : rootOf(parent);
  };
  const shown = new Map<string, Counts>();
  for (const [i, { run_id }] of runs.entries()) {
    const root = rootOf(run_id);
    const [sum = NOTHING, one = NOTHING] = [shown.get(root), own[i]];
    shown.set(root, {
      input_tokens: sum.input_tokens + one.input_tokens,
      output_tokens: sum.output_tokens + one.output_tokens,
    });
  }
  return shown;
}

/**
 * A run with what its session counts for it and no record shows: what runs within it used that wait for a person, and
 * what attempts used whose results were given up. The model's price is not known of these.
 */
function withRest(run: CountedRun, { counted, counted_before }: Run, shown: Counts): CountedRun {
  if (!counted) return run;
  const restOf = (name: keyof Counts): number =>
    Math.max(0, counted[name] - shown[name]) + (counted_before?.[name] ?? 0);
  return {
    ...run,
    input_tokens: run.input_tokens + restOf("input_tokens"),
    output_tokens: run.output_tokens + restOf("output_tokens"),
  };
}
