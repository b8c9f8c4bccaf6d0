import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

/** Why a run failed, as its record says it on every route; its content may be what it has said before. */
export const errorText = ({ output: { error, content } }: StoredRun): string =>
  error ?? (typeof content === "string" && content !== "" ? content : "The run failed.");
