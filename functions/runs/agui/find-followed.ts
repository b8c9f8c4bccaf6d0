import type { Message } from "@ag-ui/core";
import { threadMessages } from "../../../shared/agui/thread-messages.ts";
import type { RunsDeps } from "../../../shared/runs/index.ts";
import { isObject } from "../../../shared/schemas/values/json-values.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { runsWithAddresses } from "../with-addresses.ts";
import { takesParts } from "./agui-frames.ts";
import type { AguiRequest } from "./agui-request.ts";
import { threadRuns } from "./thread-runs.ts";

export type Followed = {
  readonly run: StoredRun;
  /** The thread up to what the run was asked; a client may have parts of its answer already. */
  readonly before: readonly Message[];
};

/**
 * A run of the thread of a request: by its own id, or the latest one that its client named so.
 *
 * @throws ServiceError NOT_FOUND for a thread of another user
 */
export async function findFollowed(
  request: AguiRequest,
  deps: Pick<RunsDeps, "db" | "clock">,
  name: string,
): Promise<Followed | undefined> {
  const { runs } = await threadRuns(request, deps);
  const at = runs.findLastIndex(({ run_id, output }) => run_id === name || namedBy(output.metadata) === name);
  const run = runs[at];
  if (!run) return undefined;
  const question: Message = {
    id: `${run.run_id}-question`,
    role: "user",
    content: run.output.input.input_content,
  };
  const earlier = await runsWithAddresses(runs.slice(0, at), deps);
  return { run, before: [...threadMessages(earlier, takesParts(request.body)), question] };
}

const namedBy = (metadata: StoredRun["output"]["metadata"]): unknown =>
  isObject(metadata?.agui) ? metadata.agui.run_id : undefined;
