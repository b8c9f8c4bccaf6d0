import type { Principal } from "../../../shared/auth/principal.ts";
import { errorText } from "../../../shared/domain/runs/outcome-of-run.ts";
import { wireCallId } from "../../../shared/pauses/call-id.ts";
import type { FramedRun, RunsDeps } from "../../../shared/runs/index.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { interruptData, pauseParts } from "./pause-parts.ts";
import { metadataOf } from "./run-metadata.ts";
import { isDenied } from "./tool-parts.ts";
import type { UiChunk, UiChunks } from "./ui-chunks.ts";

/** The last chunks of a run's stream, or of its part up to a pause. */
export type RunEnds = {
  /** As its record has it. */
  readonly of: (record: StoredRun) => Promise<UiChunk[]>;
  /** Of a pause that was answered since: what follows is in the stream too. */
  readonly answeredPause: (event: RecordedEvent, record: StoredRun) => UiChunk[];
  /** Of a request that was refused before there was a run. */
  readonly neverBegun: (text: string) => UiChunk[];
};

export function runEnds(
  { run_id, session_id }: FramedRun,
  chunks: UiChunks,
  principal: Principal,
  deps: Pick<RunsDeps, "db" | "settings">,
): RunEnds {
  const finish = (messageMetadata: object, finishReason: string): UiChunk[] => [
    ...chunks.close(),
    { type: "finish", finishReason, messageMetadata },
  ];
  const paused = async (record: StoredRun): Promise<UiChunk[]> =>
    (await pauseParts(record, principal, deps)).flatMap((part): UiChunk[] => {
      const { interrupt } = part.open;
      if (part.kind === "other")
        return [{ type: "data-interrupt", id: interrupt.id, data: interruptData(part.open) }];
      if (part.kind === "tool") return chunks.waiting(part.call, true);
      const asked = { approvalId: interrupt.id, toolCallId: part.call.id, reason: interrupt.message };
      return [...chunks.waiting(part.call, false), { type: "tool-approval-request", ...asked }];
    });
  return {
    of: async (record) => {
      const metadata = metadataOf(record);
      switch (record.status) {
        case "PAUSED":
          return [...(await paused(record)), ...finish(metadata, "tool-calls")];
        case "ERROR":
          // What comes behind an error is not read by clients.
          return [...finish(metadata, "error"), { type: "error", errorText: errorText(record.output) }];
        case "COMPLETED":
        case "REGENERATED": {
          const rest = chunks.hasText() ? [] : chunks.say(wholeAnswer(record));
          return [...rest, ...finish(metadata, record.output.finish_reason ?? "stop")];
        }
        default:
          return finish(metadata, "interrupted");
      }
    },
    // Calls that were refused have no event of their own.
    answeredPause: (event, { output }) => {
      const asked = "tools" in event && Array.isArray(event.tools) ? event.tools : [];
      const denied = new Set((output.tools ?? []).filter(isDenied).map(({ tool_call_id }) => tool_call_id));
      const shown = asked
        .filter(({ tool_call_id }) => denied.has(tool_call_id))
        .flatMap(({ tool_call_id, tool_name, tool_args }) => {
          const toolCallId = wireCallId(run_id, tool_call_id);
          const call = { id: toolCallId, name: tool_name, args: tool_args };
          return [...chunks.waiting(call, false), { type: "tool-output-denied", toolCallId }];
        });
      return [...shown, ...chunks.close()];
    },
    neverBegun: (text) => [...finish({ run_id, session_id }, "error"), { type: "error", errorText: text }],
  };
}

/** An answer of which nothing was streamed: a workflow's, or one that is no text. */
const wholeAnswer = ({ output: { content = "" } }: StoredRun): string =>
  typeof content === "string" ? content : JSON.stringify(content);
