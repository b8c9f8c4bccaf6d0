import type { Principal } from "../../../shared/auth/principal.ts";
import { errorText } from "../../../shared/domain/runs/outcome-of-run.ts";
import { listMedia } from "../../../shared/domain/runs/output-media.ts";
import { wireCallId } from "../../../shared/pauses/call-id.ts";
import type { RunsDeps } from "../../../shared/runs/index.ts";
import { type Media, mediaKinds, type OutputMedia } from "../../../shared/schemas/runs/media.ts";
import type { Message, ToolExecution } from "../../../shared/schemas/runs/run.ts";
import type { UiMessage, UiPart } from "../../../shared/schemas/ui-chat/ui-message.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { interruptData, type PausePart, pauseParts } from "./pause-parts.ts";
import { messageIdOf, metadataOf } from "./run-metadata.ts";
import { isDenied, shownOutput } from "./tool-parts.ts";

/**
 * A run as messages: what it was asked, and what it said, did and waits for by now. One that is live has no answer yet.
 *
 * @param run  with addresses for its files
 */
export async function chatMessages(
  run: StoredRun,
  principal: Principal,
  deps: Pick<RunsDeps, "db" | "settings">,
): Promise<UiMessage[]> {
  const question: UiMessage = {
    id: messageIdOf(run) ?? `${run.run_id}-question`,
    role: "user",
    parts: [textPart(run.output.input.input_content), ...inputFiles(run)].filter(isPart),
  };
  if (run.status === "PENDING" || run.status === "RUNNING") return [question];
  const waiting = run.status === "PAUSED" ? await pauseParts(run, principal, deps) : [];
  const answer: UiMessage = {
    id: run.run_id,
    role: "assistant",
    metadata: { ...metadataOf(run), ...(run.status === "ERROR" && { error: errorText(run.output) }) },
    parts: [...answerParts(run, waiting), ...waiting.flatMap(waitingPart)],
  };
  return [question, answer];
}

const isPart = (part: UiPart | undefined): part is UiPart => part !== undefined;
const textPart = (text: string): UiPart | undefined => (text === "" ? undefined : { type: "text", text });

const filePart = ({ url, mime_type, filename }: Media): UiPart | undefined =>
  url === undefined
    ? undefined
    : {
        ...{ type: "file", url, mediaType: mime_type ?? "application/octet-stream" },
        ...(filename !== undefined && { filename }),
      };

const inputFiles = ({ output: { input } }: StoredRun) =>
  mediaKinds.flatMap((kind) => (input[kind] ?? []).map(filePart));

/** What the run said and did. Runs without messages of their own, which are those of workflows, have an answer alone. */
function answerParts(run: StoredRun, waiting: readonly PausePart[]): UiPart[] {
  const { output, status } = run;
  const own = (output.messages ?? []).filter(({ from_history }) => !from_history);
  const asked = new Set(waiting.flatMap(({ open }) => open.call?.id ?? []));
  const said = own.flatMap((message) => messageParts(run, message, asked));
  const { content } = output;
  const hasText = said.some(({ type }) => type === "text");
  const whole =
    status !== "COMPLETED" || hasText || content === undefined
      ? undefined
      : textPart(typeof content === "string" ? content : JSON.stringify(content));
  const files = listMedia(output as OutputMedia).map(([, medium]) => filePart(medium));
  return [{ type: "step-start" }, ...[...said, whole, ...files].filter(isPart)];
}

function messageParts(run: StoredRun, message: Message, asked: ReadonlySet<string>): UiPart[] {
  const { role, content = "", reasoning_content = "", tool_calls = [], steered } = message;
  if (role === "user" && steered)
    return [{ type: "steering-message", id: steered.message_id, parts: [{ type: "text", text: content }] }];
  if (role !== "assistant") return [];
  const tools = new Map((run.output.tools ?? []).map((tool) => [tool.tool_call_id, tool]));
  const reasoning = reasoning_content === "" ? undefined : { type: "reasoning", text: reasoning_content };
  const calls = tool_calls.flatMap(({ id }) => {
    const tool = tools.get(id);
    const isAsked = asked.has(wireCallId(run.run_id, id));
    return tool && !isAsked ? [endedCall(run, tool)] : [];
  });
  return [reasoning, textPart(content), ...calls].filter(isPart);
}

function endedCall(run: StoredRun, tool: ToolExecution): UiPart {
  const id = wireCallId(run.run_id, tool.tool_call_id);
  const isClients = tool.external_execution_required === true;
  const call = {
    ...{ type: "dynamic-tool", toolName: tool.tool_name, toolCallId: id, input: tool.tool_args },
    ...(!isClients && { providerExecuted: true }),
  };
  if (isDenied(tool))
    return { ...call, state: "output-denied", approval: { id: `${run.run_id}:call:${id}`, approved: false } };
  const text = shownOutput(tool.result ?? "");
  if (tool.tool_call_error === true) return { ...call, state: "output-error", errorText: text };
  return tool.result === null
    ? { ...call, state: "input-available" }
    : { ...call, state: "output-available", output: text };
}

/** What the run waits for, as its stream has shown it. */
function waitingPart(part: PausePart): UiPart[] {
  const { interrupt } = part.open;
  if (part.kind === "other")
    return [{ type: "data-interrupt", id: interrupt.id, data: interruptData(part.open) }];
  const { id, name, args } = part.call;
  const call = { type: "dynamic-tool", toolName: name, toolCallId: id, input: args ?? {} };
  if (part.kind === "tool") return [{ ...call, state: "input-available" }];
  const approval = { id: interrupt.id, requestReason: interrupt.message };
  return [{ ...call, providerExecuted: true, state: "approval-requested", approval }];
}
