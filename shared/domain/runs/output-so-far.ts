import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { RecordedEvent } from "../../schemas/runs/run-event.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StepOutput } from "../../schemas/runs/workflow-run.ts";

/** The name of an agent's event, for a team's too. */
const nameOf = ({ event }: RecordedEvent): string => event.replace(/^Team/, "");

const mediaKinds = ["images", "audio", "videos", "files"] as const satisfies (keyof OutputMedia)[];

/**
 * The output of a run that goes on, with what its events add to its record: text and reasoning so far, tool calls
 * with and without a result, files, and for a workflow the steps that are done. The record itself is written at a pause
 * and at the end. Events of nested runs do not count: those runs have outputs of their own.
 *
 * @param output  as the record has it; of a continued run with what was there at its pause
 * @param events  all valid events of the run, the oldest first
 */
export function outputSoFar(output: StoredOutput, events: readonly RecordedEvent[]): StoredOutput {
  const own = events.filter(({ run_id }) => run_id === output.run_id);
  const texts = own.flatMap((event) => {
    const isText = nameOf(event) === "RunContent" && "content" in event && typeof event.content === "string";
    return isText ? [event as { content: string; reasoning_content?: string }] : [];
  });
  const content = texts.map((event) => event.content).join("");
  const reasoning = texts.map((event) => event.reasoning_content ?? "").join("");
  const tools = toolsSoFar(output.tools ?? [], own);
  const steps = own.flatMap(topLevelStep);
  const lastContent = steps.at(-1)?.content;
  return {
    ...output,
    ...(content !== "" && { content }),
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(tools.length > 0 && { tools }),
    ...(steps.length > 0 && { step_results: steps }),
    ...(lastContent !== undefined && lastContent !== null && { content: lastContent }),
    ...mediaSoFar(output, own),
  };
}

/** Whether anything is known of a run beside that it has begun. */
export const hasSaidAnything = ({ content, reasoning_content, tools, step_results }: StoredOutput): boolean =>
  (content ?? "") !== "" ||
  (reasoning_content ?? "") !== "" ||
  (tools ?? []).length > 0 ||
  (step_results ?? []).length > 0;

function toolsSoFar(recorded: readonly ToolExecution[], events: readonly RecordedEvent[]): ToolExecution[] {
  const calls = new Map(recorded.map((call) => [call.tool_call_id, call]));
  for (const event of events) {
    if ("tool" in event) calls.set(event.tool.tool_call_id, event.tool);
  }
  return [...calls.values()];
}

/** Files are in the events of the calls that made them, and on the record from an earlier pause on. */
function mediaSoFar(output: StoredOutput, events: readonly RecordedEvent[]): OutputMedia {
  const made = events.filter((event) => nameOf(event) === "ToolCallCompleted") as OutputMedia[];
  return Object.fromEntries(
    mediaKinds.flatMap((kind) => {
      const all = [output, ...made].flatMap((carrier) => carrier[kind] ?? []);
      const distinct = [...new Map(all.map((medium) => [medium.id, medium])).values()];
      return distinct.length > 0 ? [[kind, distinct]] : [];
    }),
  );
}

/** Steps within other steps belong to the result of the outer one. */
const topLevelStep = (event: RecordedEvent): StepOutput[] =>
  event.event === "StepCompleted" && event.nested_depth === 0 && event.parent_step_id === undefined
    ? [event.step_response]
    : [];
