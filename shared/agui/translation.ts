import type { Event, Message } from "@ag-ui/core";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import { activeSteps } from "./active-steps.ts";
import { type AguiFile, filesOfEvent } from "./agui-media.ts";
import { openSpans } from "./open-spans.ts";
import { runUsage } from "./run-usage.ts";
import { sessionState } from "./session-state.ts";
import { shownCalls } from "./shown-calls.ts";
import { subagents } from "./subagents.ts";

/** The member of `metadata` in which this platform writes. */
export const OWN = "agent-platform";

/** What a stream is about, and what its client knows already. */
export type AguiStreamOf = {
  readonly run_id: string;
  readonly session_id: string;
  /** As the client named its request. */
  readonly runId: string;
  readonly parentRunId?: string | undefined;
  /** The client's messages; sent back where an attempt starts over and what it has shown is void. */
  readonly messages: readonly Message[];
  /** Whether the client knows results of tools that have files in them. */
  readonly takesParts: boolean;
  /** Ids of calls that an earlier stream has shown. */
  readonly shownCalls: ReadonlySet<string>;
  /** Ids of calls whose result the client gave itself. */
  readonly answeredCalls: ReadonlySet<string>;
};

/** One stream under way: what of it is open, and what its client has been shown. */
export type Translation = ReturnType<typeof translationOf>;

export function translationOf(of: AguiStreamOf) {
  const nested = subagents(of.run_id);
  const spans = openSpans(nested.attributed);
  return {
    of,
    nested,
    spans,
    calls: shownCalls(of, spans, nested.attributed),
    steps: activeSteps(),
    state: sessionState(),
    usage: runUsage(),
    newFiles: newFilesOf(of.session_id),
    /** Whether the run itself has answered with text. */
    answer: { hasText: false },
  };
}

/** The files of an event that the client has not been sent yet. */
function newFilesOf(session_id: string) {
  const sent = new Set<string>();
  return (event: RecordedEvent): AguiFile[] => {
    const files = filesOfEvent(session_id, event).filter(({ id }) => !sent.has(id));
    for (const { id } of files) sent.add(id);
    return files;
  };
}

export const closeAll = ({ spans, nested, steps }: Translation): Event[] => [
  ...spans.closeAll(),
  ...nested.finishAll(),
  ...steps.finishAll(),
];

export function textIn(event: RecordedEvent): string | undefined {
  if ("error" in event && typeof event.error === "string") return event.error;
  return "content" in event && typeof event.content === "string" ? event.content : undefined;
}
