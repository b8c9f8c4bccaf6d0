import { ChevronRight, Wrench } from "lucide-react";
import { useId, useState } from "react";
import type { ToolExecution } from "../../client/index.ts";
import { Badge } from "../parts/badge.tsx";
import { Json, LongTextOrJson } from "../parts/json.tsx";
import { durationText } from "../parts/time.tsx";

export type ShownCall = {
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly result?: string;
  readonly failed?: boolean;
  /** A person did not let it be called. */
  readonly refused?: boolean;
  /** Seconds. */
  readonly duration?: number;
  /** What still has to happen before it is called. */
  readonly waits?: string;
  /** It is being called. */
  readonly running?: boolean;
  readonly note?: string;
  /** It may have been called before its run was interrupted. */
  readonly inDoubt?: boolean;
};

/** One call of a tool: a line, and all of it when opened. */
export function ToolCall({
  call,
  isOpen: openAtFirst = false,
}: {
  readonly call: ShownCall;
  readonly isOpen?: boolean;
}) {
  const [isOpen, setOpen] = useState(openAtFirst);
  const id = useId();
  const { name, args, result, failed, refused, duration, waits, running, note, inDoubt } = call;
  return (
    <div className={failed ? "tool tool-failed" : "tool"}>
      <button
        type="button"
        className="tool-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={14} className="tool-arrow" aria-hidden />
        <Wrench size={13} aria-hidden />
        <span className="mono">{name}</span>
        <span className="tool-brief mono cut">{brief(args)}</span>
        {running && <Badge tone="busy">Running</Badge>}
        {waits !== undefined && <Badge tone="warn">{waits}</Badge>}
        {inDoubt && <Badge tone="warn">In doubt</Badge>}
        {refused && <Badge tone="warn">Refused</Badge>}
        {failed && <Badge tone="bad">Failed</Badge>}
        {duration !== undefined && <span className="small faint number">{durationText(duration)}</span>}
      </button>
      {isOpen && (
        <div className="tool-body" id={id}>
          <div className="field-label">Arguments</div>
          <Json value={args ?? {}} label="Copy arguments" />
          {result !== undefined && (
            <>
              <div className="field-label">{failed ? "Error" : "Result"}</div>
              <LongTextOrJson text={result} label={`Result of ${name}`} />
            </>
          )}
          {note !== undefined && <p className="soft">{note}</p>}
        </div>
      )}
    </div>
  );
}

/** Arguments in one line. */
function brief(args: Readonly<Record<string, unknown>> | undefined): string {
  if (!args) return "";
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** A call as the run's record has it. */
export function callOf(tool: ToolExecution): ShownCall {
  return {
    name: tool.tool_name,
    args: tool.tool_args,
    ...(tool.result !== null && { result: tool.result }),
    failed: tool.tool_call_error === true && tool.confirmed !== false,
    refused: tool.confirmed === false,
    ...(tool.metrics && { duration: tool.metrics.duration }),
    ...(waitOf(tool) !== undefined && { waits: waitOf(tool) ?? "" }),
    ...noteOf(tool),
    inDoubt: tool.in_doubt !== undefined,
  };
}

function waitOf(tool: ToolExecution): string | undefined {
  if (tool.result !== null) return undefined;
  if (tool.requires_confirmation && tool.confirmed === null) return "Waits for approval";
  if (tool.requires_user_input && !tool.answered) return "Waits for an answer";
  if (tool.external_execution_required) return "Waits for a result";
  return undefined;
}

function noteOf({ confirmed, confirmation_note }: ToolExecution): { note?: string } {
  if (confirmed === null || confirmed === undefined) return {};
  const what = confirmed ? "Approved" : "Rejected";
  return { note: confirmation_note ? `${what}: ${confirmation_note}` : what };
}
