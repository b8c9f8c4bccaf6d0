import * as v from "valibot";
import {
  absentOr,
  anyOf,
  atLeast,
  checkItem,
  type Guard,
  isNew,
  oneOf,
  putItem,
  transact,
  type Update,
  updateItem,
  type Write,
  write,
} from "../../data/index.ts";
import type { InputMedia } from "../../schemas/runs/media.ts";
import { messageStates } from "../../schemas/runs/run-message.ts";
import { type Db, queryPages } from "../db.ts";
import { packJson, Spilled, sessionObjects, spillBytes, unpackJson, unspillBytes } from "../objects/spill.ts";
import { eventsKey, type RunAddress, runKey } from "./run-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const INBOX_SHAPE = 1;

/**
 * A message to a run that has begun, in the run's own partition. Numbers have no gaps: that the next one is free says that
 * nothing was sent since.
 *
 * @source docs/interface/runs.md 7.6
 */
export const StoredMessage = v.object({
  seq: v.number(),
  message_id: v.string(),
  user_id: v.nullable(v.string()),
  /** Packed `{content, media}`. */
  said: Spilled,
  /** Of a workflow: the step that it is for. */
  step_id: v.optional(v.string()),
  /** Of a team: the member's run that it is for. */
  member_run_id: v.optional(v.string()),
  state: v.picklist(messageStates),
  /** What its sender wants where the run ends first. */
  if_ended: v.picklist(["run", "reject"]),
  /** The run that it was moved to. */
  moved_to: v.optional(v.string()),
  /** Set where its run had ended when it came: another one was made for it at once. */
  late: v.optional(v.literal(true)),
  created_at: v.number(),
});
export type StoredMessage = v.InferOutput<typeof StoredMessage>;

/** What a message says. */
export type Said = { readonly content: string; readonly media: InputMedia };

/** Sorts by number. */
const inboxKey = (runId: string, seq: number) => ({
  pk: eventsKey(runId),
  sk: `inbox#${String(seq).padStart(8, "0")}`,
});

/** The messages of a run, oldest first. @param after  number of the last that is left out */
export async function listInbox(db: Db, runId: string, after = 0): Promise<StoredMessage[]> {
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :end",
    ExpressionAttributeValues: {
      ":pk": eventsKey(runId),
      ":first": inboxKey(runId, after + 1).sk,
      ":end": "inbox#~",
    },
    ConsistentRead: true,
  });
  const messages: StoredMessage[] = [];
  for await (const { Items = [] } of pages)
    messages.push(...Items.map((item) => v.parse(StoredMessage, item)));
  return messages;
}

/** What a stored message says. */
export async function saidIn(db: Db, { said }: StoredMessage): Promise<Said> {
  return unpackJson<Said>(await unspillBytes(db, said));
}

/** Most packed bytes of a message in its item. */
const MAX_SAID_BYTES = 16_000;

export type NewMessage = Omit<StoredMessage, "said" | "state" | "moved_to" | "late"> & {
  readonly said: Said;
};

/**
 * Puts a message into the inbox of a run that has not ended. `taken` says that another message has its number; read the
 * inbox again.
 *
 * @param now  epoch seconds
 * @param key  the write of an idempotency key that is the message's
 */
export async function putMessage(
  db: Db,
  at: RunAddress,
  message: NewMessage,
  now: number,
  key?: Write,
): Promise<"accepted" | "ended" | "taken" | "key_used"> {
  const result = await transact(db, {
    run: checkItem("runs", runKey(at.owner, at.session_id, at.run_id), hasNotEnded(now)),
    message: await messagePut(db, at, message, { state: "unread" }),
    key,
  });
  if (result.written) return "accepted";
  if (result.refused === "key") return "key_used";
  return result.refused === "run" ? "ended" : "taken";
}

/**
 * The write of a message whose run has ended, in the transaction that accepts the run which answers it. It is refused where
 * another message has its number; read the inbox again.
 */
export const putLateMessage = (
  db: Db,
  at: RunAddress,
  message: NewMessage,
  moved_to: string,
): Promise<Write> => messagePut(db, at, message, { state: "moved", moved_to, late: true });

async function messagePut(
  db: Db,
  at: RunAddress,
  { said, ...message }: NewMessage,
  became: Pick<StoredMessage, "state" | "moved_to" | "late">,
): Promise<Write> {
  const prefix = sessionObjects(at.owner, at.session_id);
  const packed = await spillBytes(db, prefix, await packJson(said), MAX_SAID_BYTES);
  const item = { ...message, ...became, said: packed, shape: INBOX_SHAPE };
  return putItem("runs", { ...inboxKey(at.run_id, message.seq), ...item }, isNew);
}

/** A foreground run whose process must have ended has ended too. @param now epoch seconds */
const hasNotEnded = (now: number): Guard =>
  anyOf({ status: oneOf(["PENDING", "PAUSED"]) }, { status: "RUNNING", lease_until: absentOr(atLeast(now)) });

/** Changes the state of a message that is unread. @returns the state that it is in after that, whoever has changed it */
export async function markMessage(
  db: Db,
  runId: string,
  seq: number,
  state: "taken" | "withdrawn",
): Promise<StoredMessage["state"]> {
  const result = await write(db, stateUpdate(runId, seq, { state }, { state: "unread" }));
  return result.written || !result.seen ? state : v.parse(StoredMessage, result.seen).state;
}

/** Notes that a guard has refused a message that was taken. */
export async function refuseMessage(db: Db, runId: string, seq: number): Promise<void> {
  await write(db, stateUpdate(runId, seq, { state: "refused" }, { state: "taken" }));
}

/** The write that moves a message to another run. It is refused where the message has changed since it was read. */
export const moveMessage = (runId: string, { seq, state }: StoredMessage, moved_to: string): Write =>
  stateUpdate(runId, seq, { state: "moved", moved_to }, { state });

const stateUpdate = (
  runId: string,
  seq: number,
  set: Partial<Pick<StoredMessage, "state" | "moved_to">>,
  guard: Guard,
): Update => updateItem("runs", inboxKey(runId, seq), { set, guard });

/** The condition of a transaction that nothing was sent after a message. @param seq its number, 0 for none */
export const nothingAfter = (runId: string, seq: number): Write =>
  checkItem("runs", inboxKey(runId, seq + 1), isNew);
