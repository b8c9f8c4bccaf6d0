import type { Message, RunOutput, TraceDetail, TraceNode } from "../../../client/index.ts";
import type { Run } from "../../api/kinds.ts";

/** One thing that a run did: a model call, a tool call, a member, a workflow's step. */
export type Step = {
  readonly id: string;
  readonly name: string;
  readonly kind: "agent" | "team" | "workflow" | "model" | "tool" | "step";
  readonly depth: number;
  /** Milliseconds since the epoch; absent where only the duration was recorded. */
  readonly start?: number;
  /** Seconds. */
  readonly duration: number;
  readonly failed: boolean;
  /** It is under way: its duration is not known yet. */
  readonly isRunning?: boolean;
  readonly input?: string;
  readonly output?: string;
  readonly error?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

const kindOf = (type: string): Step["kind"] => {
  if (type === "LLM") return "model";
  if (type === "TOOL") return "tool";
  if (type === "AGENT") return "agent";
  if (type === "TEAM") return "team";
  return type === "WORKFLOW" ? "workflow" : "step";
};

/** A span is named "Refund_desk.run", "model.invoke" or "write_draft.execute"; a tool's span has the tool's own name. */
function nameOf({ name, type }: TraceNode): string {
  if (type === "TOOL") return name;
  const what = name.replace(/\.(?:run|invoke|execute)$/, "");
  return type === "LLM" ? what : what.replaceAll("_", " ");
}

/** The spans of a trace, in the order in which they began, each below the one that it is part of. */
export function stepsOfTrace({ tree }: TraceDetail): readonly Step[] {
  const steps: Step[] = [];
  const add = (node: TraceNode, depth: number): void => {
    const start = Date.parse(node.start_time);
    steps.push({
      id: node.id,
      name: nameOf(node),
      kind: kindOf(node.type),
      depth,
      start,
      duration: Math.max(0, Date.parse(node.end_time) - start) / 1000,
      failed: node.status === "ERROR",
      ...(node.input !== undefined && { input: node.input }),
      ...(node.output !== undefined && { output: node.output }),
      ...(node.error !== undefined && { error: node.error }),
      ...(node.metadata !== undefined && { metadata: node.metadata }),
    });
    const parts = (node.spans ?? []).toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
    for (const part of parts) add(part, depth + 1);
  };
  for (const node of tree) add(node, 0);
  return steps;
}

/** The same as far as the record of a run shows it, for runs without a trace: what was called, and how long it took. */
export function stepsOfRun(run: Run): readonly Step[] {
  if ("step_results" in run) {
    return run.step_results.map((result, at) => ({
      id: `${result.step_id}-${at}`,
      name: result.step_name,
      kind: "step",
      depth: 0,
      duration: result.metrics?.duration ?? 0,
      failed: result.success === false,
      ...(result.content !== null && { output: textOf(result.content) }),
      ...(result.error && { error: result.error }),
    }));
  }
  const tools = new Map((run.tools ?? []).map((tool) => [tool.tool_call_id, tool]));
  return (run.messages ?? [])
    .filter(({ role, from_history }) => role === "assistant" && !from_history)
    .flatMap((message): Step[] => [
      {
        id: message.id,
        name: run.model ?? "model",
        kind: "model",
        depth: 0,
        duration: message.metrics?.duration ?? 0,
        failed: false,
        ...(message.content !== undefined && { output: message.content }),
        metadata: { ...message.metrics },
      },
      ...(message.tool_calls ?? []).map((call) => toolStep(call, tools)),
    ]);
}

/**
 * The prompt of each model call that a run's own agent made: all messages before its answer, as the model saw them. A
 * trace records only what was new in a call.
 *
 * @returns messages by the id of their step
 */
export function promptsOf(run: Run, steps: readonly Step[]): ReadonlyMap<string, readonly Message[]> {
  if ("step_results" in run) return new Map();
  const messages = run.messages ?? [];
  const answers = messages.flatMap(({ role, from_history }, at) =>
    role === "assistant" && !from_history ? [at] : [],
  );
  const root = steps[0]?.kind === "agent" || steps[0]?.kind === "team" ? 1 : 0;
  const calls = steps.filter(({ kind, depth }) => kind === "model" && depth === root);
  return new Map(
    calls.flatMap(({ id }, at) => {
      const end = answers[at];
      return end === undefined ? [] : [[id, messages.slice(0, end)] as const];
    }),
  );
}

type ToolRecord = NonNullable<RunOutput["tools"]>[number];

function toolStep(
  call: { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } },
  tools: ReadonlyMap<string, ToolRecord>,
): Step {
  const tool = tools.get(call.id);
  return {
    id: call.id,
    name: call.function.name,
    kind: "tool",
    depth: 1,
    ...(tool?.metrics && { start: tool.metrics.start_time * 1000 }),
    duration: tool?.metrics?.duration ?? 0,
    failed: tool?.tool_call_error === true,
    input: call.function.arguments,
    ...(tool?.result !== null && tool?.result !== undefined && { output: tool.result }),
  };
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, null, 2);
