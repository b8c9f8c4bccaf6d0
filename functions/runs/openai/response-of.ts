import { errorText } from "../../../shared/domain/runs/outcome-of-run.ts";
import { openInterrupts } from "../../../shared/pauses/open-interrupts.ts";
import type { Component } from "../../../shared/runs/index.ts";
import { echoedIn, type ResponseItem, type ResponseObject } from "../../../shared/schemas/openai/response.ts";
import type { ToolExecution } from "../../../shared/schemas/runs/run.ts";
import { isObject } from "../../../shared/schemas/values/json-values.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { lastEvents } from "../../../shared/stores/runs/events.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { CALL, pauseText, usageOf } from "./chat-end.ts";
import { modelName } from "./model-names.ts";
import { addressOf } from "./run-address.ts";

export const RESPONSE = "resp_";
export const MESSAGE = "msg_";
export const REASONING = "rs_";
/** Before the id of the call. */
export const FUNCTION_CALL = "fc_";

/** The member of a run's metadata in which the request is kept, as far as a response says it again. */
export const KEPT = "openai";

const statuses = {
  PENDING: "queued",
  RUNNING: "in_progress",
  PAUSED: "completed",
  COMPLETED: "completed",
  REGENERATED: "completed",
  ERROR: "failed",
  CANCELLED: "cancelled",
} as const satisfies Record<StoredRun["status"], ResponseObject["status"]>;

/** What a run failed with where its model's service, or we for it, asked to slow down. */
const throttled: ReadonlySet<string> = new Set(["throttled", "model_throttled"]);

/**
 * A run as a response: what it said and did so far, and what it waits for.
 *
 * @param origin  address of the service, for what a person decides elsewhere
 */
export async function responseOf(db: Db, run: StoredRun, origin: string): Promise<ResponseObject> {
  const response = shownResponse(run, origin);
  if (!response.error) return response;
  const events = await lastEvents(db, run);
  const slowed = events.some(
    (event) => "error_type" in event && event.run_id === run.run_id && throttled.has(event.error_type ?? ""),
  );
  return slowed ? { ...response, error: { ...response.error, code: "rate_limit_exceeded" } } : response;
}

function shownResponse(run: StoredRun, origin: string): ResponseObject {
  const component: Component = { kind: run.component_type, id: run.component_id };
  const { run_id, session_id, output } = run;
  const { finish_reason, metadata = {} } = output;
  const isCut = run.status === "COMPLETED" && finish_reason !== undefined;
  const { [KEPT]: kept, ...given } = metadata;
  const { prompt_tokens, completion_tokens, total_tokens, ...details } = usageOf(run);
  const { instructions } = isObject(run.kwargs.given_history) ? run.kwargs.given_history : {};
  const previous = isObject(kept) ? kept.previous_response_id : undefined;
  return {
    id: addressOf(RESPONSE, { component, session_id, run_id }),
    object: "response",
    created_at: output.created_at,
    status: isCut ? "incomplete" : statuses[run.status],
    background: run.queued,
    error: run.status === "ERROR" ? { code: "server_error", message: errorText(run.output) } : null,
    incomplete_details: isCut
      ? { reason: finish_reason === "length" ? "max_output_tokens" : "content_filter" }
      : null,
    instructions: typeof instructions === "string" ? instructions : null,
    model: modelName(component),
    output: itemsOf(run, component, origin),
    parallel_tool_calls: true,
    previous_response_id: typeof previous === "string" ? previous : null,
    conversation: { id: session_id },
    store: true,
    tool_choice: "auto",
    tools: [],
    metadata: given,
    ...(isObject(kept) && echoedIn(kept)),
    usage: output.metrics
      ? {
          input_tokens: prompt_tokens,
          input_tokens_details: details.prompt_tokens_details,
          output_tokens: completion_tokens,
          output_tokens_details: details.completion_tokens_details,
          total_tokens,
        }
      : null,
  };
}

function itemsOf(run: StoredRun, component: Component, origin: string): ResponseItem[] {
  const { run_id, session_id, output, status } = run;
  const open = status === "PAUSED" ? openInterrupts(run) : [];
  const calls = (output.tools ?? []).filter(
    (call) => call.result !== null && !call.external_execution_required,
  );
  // A step that waits for a confirmation is no call, so that there is no item for it.
  const elsewhere = open.filter(
    ({ isClientTool, interrupt, call }) => !isClientTool && !(call && interrupt.reason === "confirmation"),
  );
  const said = elsewhere.length > 0 ? pauseText(elsewhere, origin) : textOfRun(run);
  return [
    ...thoughtOf(run, component),
    ...calls.map((call) => executed(call, run_id, component)),
    ...open.flatMap(({ interrupt, call, isClientTool }): ResponseItem[] => {
      if (!call) return [];
      const asked = { name: call.name, arguments: JSON.stringify(call.args ?? {}) };
      if (isClientTool) {
        const call_id = addressOf(CALL, { component, session_id, run_id, call_id: call.id });
        return [
          { id: `${FUNCTION_CALL}${call_id}`, type: "function_call", status: "completed", call_id, ...asked },
        ];
      }
      return interrupt.reason === "confirmation"
        ? [{ id: interrupt.id, type: "mcp_approval_request", server_label: component.id, ...asked }]
        : [];
    }),
    ...(said === ""
      ? []
      : [
          {
            id: addressOf(MESSAGE, { component, session_id, run_id }),
            type: "message" as const,
            status: "completed" as const,
            role: "assistant" as const,
            content: [{ type: "output_text" as const, text: said, annotations: [] }],
          },
        ]),
  ];
}

/** What its models thought, as one item. */
function thoughtOf({ run_id, session_id, output }: StoredRun, component: Component): ResponseItem[] {
  const text = output.reasoning_content ?? "";
  if (text === "") return [];
  const id = addressOf(REASONING, { component, session_id, run_id });
  return [{ id, type: "reasoning", status: "completed", summary: [{ type: "summary_text", text }] }];
}

/** What a run has answered; empty until it has. */
export function textOfRun({ status, output: { content } }: StoredRun): string {
  const hasAnswered = status === "COMPLETED" || status === "REGENERATED";
  if (!hasAnswered || content === undefined) return "";
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** Longest output of a call that is shown, in characters. */
const MAX_OUTPUT_CHARS = 65_536;

/** A call that the platform has executed. */
export function executed(call: ToolExecution, run_id: string, { id }: Component): ResponseItem {
  const text = (call.result ?? "").slice(0, MAX_OUTPUT_CHARS);
  const failed = call.tool_call_error === true;
  return {
    id: `mcp_${run_id}_${call.tool_call_id}`,
    type: "mcp_call",
    status: failed ? "failed" : "completed",
    name: call.tool_name,
    arguments: JSON.stringify(call.tool_args),
    server_label: id,
    output: failed ? null : text,
    error: failed ? text : null,
  };
}
