import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { Approval, type ApprovalStatus, approvalStatuses } from "../../schemas/runs/approval.ts";
import type { Db } from "../db.ts";
import type { Change } from "../outbox/change-event.ts";

/** Version of the stored shape; raised with every change of it. */
export const APPROVAL_SHAPE = 3;

/** An approval as it is stored. */
export const StoredApproval = v.object({
  ...Approval.entries,
  /** Owner of the session, under whose key the run record is stored. */
  owner: v.nullable(v.string()),
  /** Of the calls that it covers, by their ids: the executed call must be the approved one. */
  digests: v.record(v.string(), v.string()),
});
export type StoredApproval = v.InferOutput<typeof StoredApproval>;

export const approvalKey = (id: string) => ({ pk: `approval#${id}`, sk: "approval" });

/** Partitions of each status in the index, so that no status is one hot key. */
const STATUS_SHARDS = 4;

const statusShard = (status: ApprovalStatus, id: string): string =>
  `${status}#${(Number.parseInt(id.slice(-4), 16) || 0) % STATUS_SHARDS}`;

export const statusShards = (statuses: readonly ApprovalStatus[] = approvalStatuses): string[] =>
  statuses.flatMap((status) => Array.from({ length: STATUS_SHARDS }, (_, shard) => `${status}#${shard}`));

/** Attributes that follow from a status; they change with it. */
export const statusAttributes = (status: ApprovalStatus, id: string) => ({
  status,
  status_shard: statusShard(status, id),
});

/**
 * The arguments as JSON, beside the map of them: a map of DynamoDB keeps no order of its keys, and whoever decides is to see the
 * order that the model chose.
 */
const askedJson = ({ tool_args, requirements }: Pick<StoredApproval, "tool_args" | "requirements">) => ({
  asked_json: JSON.stringify({ ...(tool_args && { tool_args }), ...(requirements && { requirements }) }),
});

/** The same for the arguments that a person has changed. */
export const editedJson = ({ edited_args }: Partial<Pick<StoredApproval, "edited_args">>) =>
  edited_args ? { edited_json: JSON.stringify({ edited_args }) } : {};

/** The table would delete the record at `expires_at`, so it is stored as `deadline`: an expired approval stays. */
export function approvalItem({ expires_at, ...approval }: StoredApproval): Item {
  return {
    ...approvalKey(approval.id),
    ...approval,
    ...askedJson(approval),
    ...statusAttributes(approval.status, approval.id),
    deadline: expires_at,
    user_key: userKey(approval.user_id),
    asked: askedKey(approval.created_at, approval.id),
    shape: APPROVAL_SHAPE,
  };
}

export const userKey = (userId: string | null): string => `user#${userId ?? ""}`;

/** Sorts by creation; ties go by id. */
const askedKey = (createdAt: number, id: string): string => `${String(createdAt).padStart(12, "0")}#${id}`;

/** @throws when the item is not an approval of a shape that this code reads */
export const approvalFrom = ({
  deadline,
  asked_json = "{}",
  edited_json = "{}",
  ...item
}: Item): StoredApproval =>
  v.parse(StoredApproval, {
    ...item,
    ...JSON.parse(String(asked_json)),
    ...JSON.parse(String(edited_json)),
    expires_at: deadline,
  });

/** The approval as the wire shows it. */
export const wireApproval = (approval: StoredApproval): Approval => v.parse(Approval, approval);

/** An approval as it is after a change. */
type Changed = Omit<StoredApproval, "status" | "resolved_by"> & {
  readonly status: ApprovalStatus;
  readonly resolved_by?: string | null | undefined;
};

/** What is published of an approval: that it waits for a person, or how it was resolved. @param now epoch seconds */
export function approvalChange(approval: Changed, now: number): Change {
  const { id, owner, run_id, session_id, status, source_type, agent_id, team_id, workflow_id } = approval;
  const { approval_type, pause_type, tool_name, expires_at, resolved_by = null } = approval;
  const component = agent_id ?? team_id ?? workflow_id;
  return {
    type: status === "pending" ? "approval.created" : "approval.resolved",
    id,
    owner,
    component: component === null ? undefined : { type: source_type, id: component },
    facts: {
      ...{ run_id, session_id, status, approval_type, pause_type, tool_name, expires_at },
      ...(status !== "pending" && { resolved_by }),
    },
    now,
  };
}

export async function getApproval(db: Db, id: string): Promise<StoredApproval | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.approvals, Key: approvalKey(id), ConsistentRead: true }),
  );
  return Item && approvalFrom(Item);
}

/** The approvals that exist. A run has one for each of its pauses: they are few. */
export async function getApprovals(db: Db, ids: readonly string[]): Promise<StoredApproval[]> {
  const found = await Promise.all(ids.map((id) => getApproval(db, id)));
  return found.filter((approval) => approval !== undefined);
}
