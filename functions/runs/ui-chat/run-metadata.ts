import { isObject } from "../../../shared/schemas/values/json-values.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";

/** What the metadata of a message says of its run. */
export function metadataOf({ run_id, session_id, status, output }: StoredRun) {
  const metrics = output.total_metrics ?? output.metrics;
  const {
    input_tokens = 0,
    output_tokens = 0,
    cache_read_tokens = 0,
    cache_write_tokens = 0,
    reasoning_tokens = 0,
  } = metrics ?? {};
  return {
    ...{ run_id, session_id, status },
    ...(metrics && {
      usage: {
        ...{ input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
        ...{ cache_read_tokens, cache_write_tokens, reasoning_tokens },
      },
    }),
  };
}

/** The member of a run's metadata in which the client's id of the message is kept. */
export const KEPT = "ui_chat";

/** The client's id of what a run was asked. */
export function messageIdOf({ output: { metadata } }: StoredRun): string | undefined {
  const kept: unknown = metadata?.[KEPT];
  return isObject(kept) && typeof kept.message_id === "string" ? kept.message_id : undefined;
}
