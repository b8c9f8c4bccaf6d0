import { followRun } from "../../shared/events/follow-run.ts";
import { after } from "../../shared/runtime/clock.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import type { RunAddress } from "../../shared/stores/runs/run-keys.ts";
import type { LeasedMessage } from "./chat-worker-deps.ts";
import { writeProgress } from "./leased-message.ts";

/**
 * Waits until a run ends or pauses, or until there is no more time. Where the platform can, the answer is shown while
 * it grows.
 */
export async function followAnswer(leased: LeasedMessage, at: RunAddress): Promise<void> {
  const { deps, port, message, until, signal } = leased;
  const stop = new AbortController();
  const enough = AbortSignal.any([signal, stop.signal]);
  const clear = after(deps.clock, Math.max(0, until - deps.clock.now()), () => stop.abort());
  const live = port.live?.(message, (live_id) => writeProgress(leased, { live_id }));
  const grown = { text: "", status: [] as string[] };
  try {
    for await (const event of followRun(deps.db, at, deps.clock, enough)) {
      if (!live || event.run_id !== at.run_id) continue;
      addEvent(grown, event);
      await live.show(grown.text, grown.status);
    }
  } finally {
    clear();
  }
}

function addEvent(grown: { text: string; status: string[] }, event: RecordedEvent): void {
  if (event.event === "RunContent" || event.event === "TeamRunContent") grown.text += String(event.content);
  if (event.event === "ToolCallStarted") grown.status.push(`${event.tool.tool_name} …`);
  if (event.event === "ToolCallCompleted") endLine(grown, event.tool.tool_name, "done");
  if (event.event === "ToolCallError") endLine(grown, event.tool.tool_name, "failed");
}

function endLine({ status }: { status: string[] }, tool: string, how: string): void {
  const at = status.lastIndexOf(`${tool} …`);
  if (at >= 0) status[at] = `${tool}: ${how}`;
}
