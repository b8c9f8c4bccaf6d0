import * as v from "valibot";
import type { CountedRun, CountedSession } from "../../domain/metrics/day-count.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { sessionRunsKey } from "../runs/run-keys.ts";
import { tokenSums } from "../sessions/session-item.ts";
import { sessionKey } from "../sessions/session-keys.ts";
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
  cost: v.optional(v.number()),
});
const Output = v.object({
  model: v.optional(v.string()),
  model_provider: v.optional(v.string(), ""),
  metrics: v.optional(Used, {}),
});
/** A run with none of the projected attributes is an empty item. */
const Run = v.object({ output: v.optional(Output, {}) });

/** What the runs of a session have used, those of members and steps included. Their messages are not read. */
export async function readRunFigures(
  db: Db,
  { user_id, session_id }: Pick<SessionFigures, "user_id" | "session_id">,
): Promise<CountedRun[]> {
  const runs: CountedRun[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :run)",
    ProjectionExpression: "#output.#model, #output.model_provider, #output.#metrics",
    ExpressionAttributeNames: { "#output": "output", "#model": "model", "#metrics": "metrics" },
    ExpressionAttributeValues: { ":pk": sessionRunsKey(user_id, session_id), ":run": "run#" },
  });
  for await (const { Items = [] } of pages) runs.push(...Items.map(countedRun));
  return runs;
}

function countedRun(item: unknown): CountedRun {
  const { model, model_provider, metrics } = v.parse(Run, item).output;
  return {
    ...(model !== undefined && { model: { id: model, provider: model_provider } }),
    input_tokens: metrics.input_tokens,
    output_tokens: metrics.output_tokens,
    cost: metrics.cost,
  };
}
