import { deflateRawSync, inflateRawSync } from "node:zlib";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import * as v from "valibot";
import type { StateChanges } from "../../domain/sessions/state-changes.ts";
import { OutputMedia } from "../../schemas/runs/media.ts";
import type { Db } from "../db.ts";
import { eventsKey } from "./run-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const TOOL_CALL_SHAPE = 3;

/** A started tool call, and its answer once it has ended. */
export const StoredCall = v.object({
  starts: v.number(),
  /** Names the last start, so that a writer that lost the answer recognizes its own write. */
  started_by: v.string(),
  /** Packed text. */
  answer: v.optional(v.instance(Uint8Array)),
  failed: v.optional(v.boolean()),
  /** Files that it returned, by pointer. */
  media: v.optional(OutputMedia),
  /** What it changed in the session's state: packed JSON, absent where it changed nothing. */
  changes: v.optional(v.instance(Uint8Array)),
});

export type CallEntry = {
  readonly starts: number;
  readonly answer?: {
    readonly text: string;
    readonly failed: boolean;
    readonly media?: OutputMedia;
    readonly changes?: StateChanges | undefined;
  };
};

/** Started, for exactly one caller; or refused, with the entry that was seen. */
export type CallStarted = { readonly started: true } | { readonly started: false; readonly seen: CallEntry };

const callKey = (runId: string, call: string) => ({ pk: eventsKey(runId), sk: `tool#${call}` });

/**
 * Records the first start of a tool call.
 *
 * @param start  a unique name of this start
 */
export async function startCall(db: Db, runId: string, call: string, start: string): Promise<CallStarted> {
  const put = new PutCommand({
    TableName: db.tables.runs,
    Item: { ...callKey(runId, call), starts: 1, started_by: start, shape: TOOL_CALL_SHAPE },
    ConditionExpression: "attribute_not_exists(pk)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  return startedUnless(() => db.client.send(put), start);
}

/** Records a further start, after exactly `starts` of them and if no end is recorded. @param start its unique name */
export async function startCallAgain(
  db: Db,
  runId: string,
  call: string,
  starts: number,
  start: string,
): Promise<CallStarted> {
  const update = new UpdateCommand({
    TableName: db.tables.runs,
    Key: callKey(runId, call),
    UpdateExpression: "SET starts = starts + :one, started_by = :start",
    ConditionExpression: "starts = :starts AND attribute_not_exists(answer)",
    ExpressionAttributeValues: { ":one": 1, ":starts": starts, ":start": start },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  return startedUnless(() => db.client.send(update), start);
}

async function startedUnless(write: () => Promise<unknown>, start: string): Promise<CallStarted> {
  try {
    await write();
    return { started: true };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
    const { starts, started_by, answer, failed, media, changes } = v.parse(
      StoredCall,
      unmarshall(error.Item),
    );
    // The SDK repeats a request whose answer was lost, and is then refused by its own first write.
    if (started_by === start) return { started: true };
    return {
      started: false,
      seen: {
        starts,
        ...(answer && {
          answer: {
            text: unpack(answer),
            failed: failed === true,
            ...(media && { media }),
            // This module wrote it.
            ...(changes && { changes: JSON.parse(unpack(changes)) as StateChanges }),
          },
        }),
      },
    };
  }
}

/** Most packed bytes of an answer in an entry. */
const MAX_ANSWER_BYTES = 300_000;
/** Most packed bytes of what it changed in the session's state. */
const MAX_CHANGES_BYTES = 64_000;
const TOO_LARGE = "The call was made; its answer is too large to be given a second time.";

/**
 * Records the end of a call; a later answer replaces an earlier one. A call that has changed more of the session's state
 * than its entry holds stays without an end: to reuse its answer without its changes would lose them.
 */
export async function endCall(
  db: Db,
  runId: string,
  call: string,
  { text, failed, media, changes = {} }: NonNullable<CallEntry["answer"]>,
): Promise<void> {
  const packed = pack(text);
  const packedChanges = Object.keys(changes).length > 0 && pack(JSON.stringify(changes));
  if (packedChanges && packedChanges.length > MAX_CHANGES_BYTES) return;
  await db.client.send(
    new UpdateCommand({
      TableName: db.tables.runs,
      Key: callKey(runId, call),
      UpdateExpression: `SET answer = :answer, failed = :failed${media ? ", media = :media" : ""}${packedChanges ? ", changes = :changes" : ""}`,
      ExpressionAttributeValues: {
        ":answer": packed.length > MAX_ANSWER_BYTES ? pack(TOO_LARGE) : packed,
        ":failed": failed,
        ...(media && { ":media": media }),
        ...(packedChanges && { ":changes": packedChanges }),
      },
    }),
  );
}

const pack = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(deflateRawSync(text));
const unpack = (packed: Uint8Array): string => inflateRawSync(packed).toString("utf8");
