import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as v from "valibot";
import { absent, isNew, plus, putItem, updateItem, type Written, write } from "../../data/index.ts";
import type { StateChanges } from "../../domain/sessions/session-state.ts";
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
  const item = { ...callKey(runId, call), starts: 1, started_by: start, shape: TOOL_CALL_SHAPE };
  return startedUnless(await write(db, putItem("runs", item, isNew)), start);
}

/** Records a further start, after exactly `starts` of them and if no end is recorded. @param start its unique name */
export async function startCallAgain(
  db: Db,
  runId: string,
  call: string,
  starts: number,
  start: string,
): Promise<CallStarted> {
  const update = updateItem("runs", callKey(runId, call), {
    set: { starts: plus(1), started_by: start },
    guard: { starts, answer: absent },
  });
  return startedUnless(await write(db, update), start);
}

function startedUnless(result: Written, start: string): CallStarted {
  if (result.written) return { started: true };
  const { starts, started_by, answer, failed, media, changes } = v.parse(StoredCall, result.seen);
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
  const set = {
    answer: packed.length > MAX_ANSWER_BYTES ? pack(TOO_LARGE) : packed,
    failed,
    ...(media && { media }),
    ...(packedChanges && { changes: packedChanges }),
  };
  await write(db, updateItem("runs", callKey(runId, call), { set }));
}

const pack = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(deflateRawSync(text));
const unpack = (packed: Uint8Array): string => inflateRawSync(packed).toString("utf8");
