import type { RunOutput, TraceDetail, TraceNode } from "../../../client/index.ts";
import { inputOf, type Run } from "../../api/kinds.ts";

/** What a step used. */
export type Usage = {
  readonly input_tokens?: number | undefined;
  readonly output_tokens?: number | undefined;
  readonly cost?: number | undefined;
};

/** One thing that a run did, or a time in which it waited: a model call, a tool call, a member, a workflow's step. */
export type Step = {
  readonly id: string;
  readonly name: string;
  readonly kind: "agent" | "team" | "workflow" | "model" | "tool" | "step" | "wait";
  readonly depth: number;
  /** Milliseconds since the epoch; absent where only the duration was recorded. */
  readonly start?: number;
  /** Seconds. */
  readonly duration: number;
  readonly failed: boolean;
  /** It is under way: its duration is not known yet. */
  readonly isRunning?: boolean;
  /** Of a workflow's step, where it is known: the names of the steps around it and its own. */
  readonly path?: string;
  /** The run that it is, of an agent or a team. */
  readonly run?: string;
  readonly usage?: Usage;
  readonly input?: string;
  readonly output?: string;
  readonly error?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

const kindOf = (type: string, depth: number): Step["kind"] => {
  if (type === "LLM") return "model";
  if (type === "TOOL") return "tool";
  if (type === "AGENT") return "agent";
  if (type === "TEAM") return "team";
  return type === "WORKFLOW" && depth === 0 ? "workflow" : "step";
};

/**
 * A span is named "Refund_desk.run", "model.invoke" or "write_draft.execute"; a tool's span has the tool's own name. A call that
 * begins the run of a member names the member too.
 */
function nameOf({ name, type, spans = [] }: TraceNode): string {
  const [member] = spans.filter((part) => part.type === "AGENT" || part.type === "TEAM");
  if (type === "TOOL") return member ? `${name} → ${nameOf(member)}` : name;
  const what = name.replace(/\.(?:run|invoke|execute)$/, "");
  return type === "LLM" ? what : what.replaceAll("_", " ");
}

/** The spans of a trace, in the order in which they began, each below the one that it is part of. */
export function stepsOfTrace({ tree }: TraceDetail): readonly Step[] {
  const steps: Step[] = [];
  const add = (node: TraceNode, depth: number): void => {
    const start = Date.parse(node.start_time);
    const { run_id } = node.metadata ?? {};
    steps.push({
      id: node.id,
      name: nameOf(node),
      kind: kindOf(node.type, depth),
      depth,
      start,
      duration: Math.max(0, Date.parse(node.end_time) - start) / 1000,
      failed: node.status === "ERROR",
      ...(typeof run_id === "string" && { run: run_id }),
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
  const parts = "step_results" in run ? resultsOf(run) : callsOf(run);
  if (parts.length === 0) return [];
  const isWorkflow = "step_results" in run;
  const name = isWorkflow ? run.workflow_name : (run.agent_name ?? run.team_name ?? "Run");
  const duration = parts.reduce((sum, part) => sum + (part.depth === 1 ? part.duration : 0), 0);
  return [
    {
      id: run.run_id,
      name,
      kind: isWorkflow ? "workflow" : run.team_name === undefined ? "agent" : "team",
      depth: 0,
      duration: run.metrics?.duration ?? duration,
      failed: run.status === "ERROR",
      run: run.run_id,
      input: inputOf(run),
    },
    ...parts,
  ];
}

const resultsOf = ({ step_results }: Extract<Run, { step_results: unknown }>): readonly Step[] =>
  step_results.map((result, at) => ({
    id: `${result.step_id}-${at}`,
    name: result.step_name,
    path: result.step_id,
    kind: "step",
    depth: 1,
    duration: result.metrics?.duration ?? 0,
    failed: result.success === false,
    ...(result.step_run_id !== null && { run: result.step_run_id }),
    ...(result.content !== null && { output: textOf(result.content) }),
    ...(result.error && { error: result.error }),
  }));

function callsOf(run: Exclude<Run, { step_results: unknown }>): readonly Step[] {
  const tools = new Map((run.tools ?? []).map((tool) => [tool.tool_call_id, tool]));
  return (run.messages ?? [])
    .filter(({ role, from_history }) => role === "assistant" && !from_history)
    .flatMap((message): Step[] => [
      {
        id: message.id,
        name: run.model ?? "model",
        kind: "model",
        depth: 1,
        duration: message.metrics?.duration ?? 0,
        failed: false,
        ...(message.content !== undefined && { output: message.content }),
        metadata: { ...message.metrics },
      },
      ...(message.tool_calls ?? []).map((call) => toolStep(call, tools)),
    ]);
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
