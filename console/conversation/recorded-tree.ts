import type { Message, RunOutput, StepOutput, WorkflowRunRow } from "../../client/index.ts";
import type { RunRow } from "../api/kinds.ts";
import {
  addNode,
  emptyTree,
  type MediaLists,
  type NodeStatus,
  type RunNode,
  type RunTree,
  stepNodeId,
  withAnswer,
  withMedia,
  withNode,
  withSaidTo,
  withText,
  withTool,
} from "./run-nodes.ts";

const statuses: Readonly<Record<RunRow["status"], NodeStatus>> = {
  PENDING: "running",
  RUNNING: "running",
  PAUSED: "paused",
  COMPLETED: "completed",
  REGENERATED: "completed",
  CANCELLED: "cancelled",
  ERROR: "failed",
};

/** A run that was recorded, in the form in which one that goes on is shown. @param name  of its component */
export function recordedTree(row: RunRow, name: string): RunTree {
  const tree = { ...emptyTree(row.run_id, name), followups: followupsOf(row), metrics: row.metrics };
  const status = statuses[row.status];
  const inner =
    "step_results" in row ? withSteps(tree, row) : withNode(tree, tree.root, (node) => saidBy(node, row));
  return withNode(inner, tree.root, (node) => {
    if (status === "failed") return { ...node, status, error: textOf(row.content) };
    // The hint of a paused run is no answer of it.
    const answered = status === "paused" || status === "running" ? node : withAnswer(node, row.content);
    return { ...withMedia(answered, row), status };
  });
}

const followupsOf = (row: RunRow): readonly string[] => ("followups" in row && row.followups) || [];

const textOf = (content: unknown): string =>
  typeof content === "string" && content !== ""
    ? content
    : content
      ? JSON.stringify(content)
      : "The run failed.";

type Said = {
  readonly messages?: readonly Message[] | null | undefined;
  readonly tools?: RunOutput["tools"] | null;
};

/** A node with what its run's own messages say, each call with its outcome. */
function saidBy(node: RunNode, { messages, tools }: Said): RunNode {
  const byId = new Map((tools ?? []).map((tool) => [tool.tool_call_id, tool]));
  const own = (messages ?? []).filter(({ from_history }) => !from_history);
  let said = node;
  for (const { role, content = "", reasoning_content = "", tool_calls = [], steered, ...media } of own) {
    if (steered) said = withSaidTo(said, steered.message_id, content);
    if (role === "tool") said = withMedia(said, media);
    if (role !== "assistant") continue;
    said = withText(withText(said, "reasoning", reasoning_content), "text", content);
    for (const { id } of tool_calls) {
      const tool = byId.get(id);
      if (tool) said = withTool(said, tool, false);
    }
  }
  return [...byId.values()].reduce(
    (one, tool) => (one.parts.some(({ id }) => id === tool.tool_call_id) ? one : withTool(one, tool, false)),
    said,
  );
}

function withSteps(tree: RunTree, row: WorkflowRunRow): RunTree {
  const executed = new Map((row.step_executor_runs ?? []).map((run) => [run.run_id, run]));
  return row.step_results.reduce((one, step) => withStep(one, step, executed), tree);
}

function withStep(tree: RunTree, step: StepOutput, executed: ReadonlyMap<string, RunOutput>): RunTree {
  const { step_id, step_name, step_run_id, success, error, is_paused, content } = step;
  const id = stepNodeId(step_id);
  const status: NodeStatus = is_paused ? "paused" : success ? "completed" : "failed";
  const run = step_run_id === null ? undefined : executed.get(step_run_id);
  const node: RunNode = { id, kind: "step", name: step_name, status, parts: [], ...(error && { error }) };
  const added = addNode(tree, tree.root, run ? node : withMedia(withAnswer(node, content), mediaOf(step)));
  if (!run) return added;
  const name = run.agent_name ?? run.team_name ?? run.run_id;
  const bare: RunNode = { id: run.run_id, kind: "run", name, status: statuses[run.status], parts: [] };
  return addNode(added, id, withMedia(withAnswer(saidBy(bare, run), run.content), run));
}

const mediaOf = ({ images, audio, videos, files }: StepOutput): MediaLists => ({
  images: images ?? undefined,
  audio: audio ?? undefined,
  videos: videos ?? undefined,
  files: files ?? undefined,
});
