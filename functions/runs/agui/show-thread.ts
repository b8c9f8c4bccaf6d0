import { type Event, EventType, PROTOCOL_VERSION } from "@ag-ui/core";
import { aguiFrames } from "../../../shared/agui/agui-frame.ts";
import { aguiInterrupt } from "../../../shared/agui/agui-interrupt.ts";
import { threadMedia, threadMessages } from "../../../shared/agui/thread-messages.ts";
import { EventStream } from "../../../shared/http/handler.ts";
import { openInterrupts } from "../../../shared/pauses/open-interrupts.ts";
import type { RunsDeps } from "../../../shared/runs/index.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { runsWithAddresses } from "../with-addresses.ts";
import { takesParts } from "./agui-frames.ts";
import type { AguiRequest } from "./agui-request.ts";
import { threadRuns } from "./thread-runs.ts";

/**
 * A thread as it is, for a client that has lost it: its state, its messages, and what its last run waits for. Nothing is
 * executed.
 */
export async function showThread(
  request: AguiRequest,
  deps: Pick<RunsDeps, "db" | "clock">,
): Promise<EventStream> {
  const { threadId, runId } = request.body;
  const { state, runs: stored } = await threadRuns(request, deps);
  const runs = await runsWithAddresses(stored, deps);
  const parts = takesParts(request.body);
  const last = runs[runs.length - 1];
  const events: Event[] = [
    { type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION },
    { type: EventType.STATE_SNAPSHOT, snapshot: state },
    { type: EventType.MESSAGES_SNAPSHOT, messages: threadMessages(runs, parts) },
    ...threadMedia(runs, parts),
    { type: EventType.RUN_FINISHED, threadId, runId, outcome: outcomeOf(last) },
  ];
  return new EventStream(single(aguiFrames(events)));
}

function outcomeOf(last: StoredRun | undefined) {
  if (last?.status !== "PAUSED") return { type: "success" as const };
  const open = openInterrupts(last);
  const interrupts = open.filter(({ isClientTool }) => !isClientTool).map(aguiInterrupt);
  if (interrupts.length > 0) return { type: "interrupt" as const, interrupts };
  return { type: "success" as const, pendingToolCallIds: open.flatMap(({ call }) => call?.id ?? []) };
}

async function* single(frames: string): AsyncGenerator<string> {
  yield frames;
}
