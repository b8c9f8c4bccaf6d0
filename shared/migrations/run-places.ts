import { createHash } from "node:crypto";
import * as v from "valibot";
import type { Item } from "../data/index.ts";
import type { Change, Migration } from "./migration.ts";

/**
 * Where lists over all sessions find a run. A migration must not depend on code that changes later: it defines itself
 * what it reads and writes.
 */
const Run = v.object({
  sk: v.pipe(v.string(), v.startsWith("run#")),
  run_id: v.string(),
  owner: v.nullable(v.string()),
  component_type: v.string(),
  component_id: v.string(),
  status: v.string(),
  output: v.object({
    created_at: v.number(),
    /** Part of another run, or a copy: not in these lists. */
    parent_run_id: v.optional(v.undefined()),
    forked_from_session_id: v.optional(v.undefined()),
  }),
  opened: v.optional(v.string()),
});

const SHARDS = 4;
const RESTING = new Set(["ERROR", "CANCELLED", "PAUSED"]);
const ATTRIBUTES = ["owner_key", "component_key", "all_key", "status_key", "opened"];

const shardOf = (id: string): number => createHash("sha256").update(id).digest().readUInt32BE(0) % SHARDS;

/** Computed from the status too: while it is written, the run may end. */
function place(record: Item): Change | undefined {
  const parsed = v.safeParse(Run, record);
  if (!parsed.success || parsed.output.opened !== undefined) return undefined;
  const { run_id, owner, component_type, component_id, status, output } = parsed.output;
  const shard = shardOf(run_id);
  const set = {
    owner_key: `owner#${encodeURIComponent(owner ?? "")}`,
    component_key: `component#${component_type}#${encodeURIComponent(component_id)}#${shard}`,
    all_key: `all#${shard}`,
    opened: `${String(output.created_at).padStart(12, "0")}#${run_id.slice(0, 128)}`,
    ...(RESTING.has(status) && { status_key: `resting#${status}#${shard}` }),
  };
  return { set, from: ["status"] };
}

function displace(record: Item): Change | undefined {
  const remove = ATTRIBUTES.filter((name) => record[name] !== undefined);
  return String(record.sk).startsWith("run#") && remove.length > 0 ? { remove } : undefined;
}

/** From version 3 on every run is in the indexes of `GET /runs`; until then those are that were created since. */
export const runPlaces: Migration = {
  version: 3,
  name: "place-runs",
  steps: [{ table: "runs", up: place, down: displace }],
};
