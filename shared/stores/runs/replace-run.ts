import { updateItem, type Write } from "../../data/writes.ts";
import type { RunAddress } from "./run-address.ts";
import { runKey } from "./run-keys.ts";

/** The write that marks a completed run as replaced by another answer; it then no longer counts as history. */
export const replaceRun = (at: RunAddress): Write =>
  updateItem("runs", runKey(at.owner, at.session_id, at.run_id), {
    set: { status: "REGENERATED" },
    guard: { status: "COMPLETED" },
  });
