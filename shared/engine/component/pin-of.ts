import { isObject } from "../../schemas/values/json-values.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { Pinned } from "./find-runnable.ts";

/** What a run began with, and is executed with until its end. @param run  with its large fields */
export const pinOf = ({
  component_version,
  kwargs: { draft_config },
}: Pick<StoredRun, "component_version" | "kwargs">): Pinned => ({
  pinned: component_version,
  ...(isObject(draft_config) && { config: draft_config }),
});
