import type { RunRow } from "../../api/kinds.ts";
import { isLive } from "../../api/use-run.ts";
import { recordedTree } from "../../conversation/recorded-tree.ts";
import { emptyTree, type MediaLists, type RunTree } from "../../conversation/run-nodes.ts";
import type { Said } from "./said.ts";

export type SentFile = { readonly name: string; readonly size: number };

/** A message and the run that answers it. */
export type Turn = {
  /** Stays the same while the run gets its id. */
  readonly key: string;
  readonly run_id: string | undefined;
  readonly input: string;
  readonly media: MediaLists;
  /** As they were sent, until their media are read from the record. */
  readonly files: readonly SentFile[];
  /**
   * sending  nothing is known of the run yet
   * live     its events arrive
   * lost     the connection broke; the run goes on, and is looked for
   * ended    it has ended or paused
   * refused  there is no run: the platform refused it, or it never arrived
   */
  readonly state: "sending" | "live" | "lost" | "ended" | "refused";
  readonly tree: RunTree | undefined;
  readonly error?: unknown;
  readonly isStopping: boolean;
  /** The session that it was copied from. */
  readonly copiedFrom?: string;
  /** What was said to the run after it began. */
  readonly said: readonly Said[];
  /** Index of the last event that arrived, where events carry one. */
  readonly lastIndex: number | undefined;
};

export const rootOf = ({ tree }: Pick<Turn, "tree">) => tree?.nodes[tree.root];

/** Whether a run will say no more unless it is continued. */
export function isOver(turn: Pick<Turn, "tree">): boolean {
  const root = rootOf(turn);
  return root !== undefined && root.status !== "running";
}

export const isBusy = ({ state }: Pick<Turn, "state">): boolean =>
  state === "sending" || state === "live" || state === "lost";

export const newTurn = (input: string, files: readonly SentFile[]): Turn => ({
  key: crypto.randomUUID(),
  run_id: undefined,
  input,
  media: {},
  files,
  state: "sending",
  tree: undefined,
  isStopping: false,
  said: [],
  lastIndex: undefined,
});

/** @param name  of the component */
export function recordedTurn(row: RunRow, name: string): Turn {
  const goesOn = isLive(row.status);
  const { images, videos, audios, files } = "input_media" in row ? row.input_media : noMedia;
  const copiedFrom = "forked_from_session_id" in row ? row.forked_from_session_id : undefined;
  let tree: RunTree | undefined;
  return {
    key: row.run_id,
    run_id: row.run_id,
    input: row.run_input,
    media: { images, videos, audio: audios, files },
    files: [],
    state: goesOn ? "live" : "ended",
    // Put together when it is looked at: a long session has many. A run in progress is described by its events.
    get tree() {
      tree ??= goesOn ? emptyTree(row.run_id, name) : recordedTree(row, name);
      return tree;
    },
    isStopping: false,
    said: [],
    lastIndex: undefined,
    ...(copiedFrom && { copiedFrom }),
  };
}

const noMedia = { images: [], videos: [], audios: [], files: [] };
