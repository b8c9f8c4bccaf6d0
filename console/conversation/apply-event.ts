import type { StreamEvent } from "../api/run-streams.ts";
import { countOf } from "../parts/amounts.ts";
import {
  addNode,
  type NodeStatus,
  type RunNode,
  type RunTree,
  stepNodeId,
  withAnswer,
  withMedia,
  withNode,
  withPart,
  withSaidTo,
  withText,
  withTool,
} from "./run-nodes.ts";

/** A run's tree after one more event of its stream. Events that change nothing that is shown leave it as it is. */
export function applyEvent(tree: RunTree, event: StreamEvent): RunTree {
  if ("workflow_name" in event && !("agent_id" in event) && !("team_id" in event))
    return applyStepEvent(tree, event);
  if (!("run_id" in event) || !("nested_depth" in event)) return tree;
  const grown = "agent_name" in event || "team_name" in event ? withRunOf(tree, event) : tree;
  const own = (change: (node: RunNode) => RunNode) => withNode(grown, event.run_id, change);
  const isRoot = event.run_id === tree.root;
  switch (event.event) {
    case "RunStarted":
    case "TeamRunStarted": {
      const begun = own((node) => ({ ...node, status: "running" }));
      return isRoot ? { ...begun, model: event.model } : begun;
    }
    case "RunContinued":
    case "TeamRunContinued":
      return own((node) => ({ ...node, status: "running" }));
    case "RunContent":
    case "TeamRunContent":
      return own((node) =>
        withText(withText(node, "reasoning", event.reasoning_content), "text", event.content),
      );
    case "ToolCallStarted":
    case "TeamToolCallStarted":
      return own((node) => withTool(node, event.tool, true));
    case "ToolCallCompleted":
    case "TeamToolCallCompleted":
      return own((node) => withMedia(withTool(node, event.tool, false), event));
    case "ToolCallError":
    case "TeamToolCallError":
      return own((node) => withTool(node, event.tool, false));
    case "RunPaused":
    case "TeamRunPaused":
      return own((node) => ({
        ...event.tools.reduce((one, tool) => withTool(one, tool, false), node),
        status: "paused",
      }));
    case "RunCompleted":
    case "TeamRunCompleted": {
      const done = own((node) => {
        // A cancelled run completes too, with what it had.
        const status = node.status === "cancelled" ? "cancelled" : "completed";
        return { ...withMedia(withAnswer(node, event.content), event), status };
      });
      return isRoot && event.metrics ? { ...done, metrics: event.metrics } : done;
    }
    case "RunError":
    case "TeamRunError":
      return own((node) => ({ ...node, status: "failed", error: event.content }));
    case "RunCancelled":
    case "TeamRunCancelled":
      return own((node) => ({ ...node, status: "cancelled" }));
    case "FollowupsCompleted":
    case "TeamFollowupsCompleted":
      return isRoot ? { ...grown, followups: event.followups } : grown;
    case "CustomEvent": {
      const { message_id, content = "", state } = event;
      return message_id === undefined
        ? grown
        : own((node) => withSaidTo(node, message_id, content, state === "refused"));
    }
    case "TeamTaskCreated":
      return own((node) => withNote(node, `Task: ${event.title}`));
    case "TeamTaskUpdated":
      return own((node) => withNote(node, `Task “${event.title}” is ${event.status.replace("_", " ")}`));
    default:
      return grown;
  }
}

type AnyRunEvent = Extract<StreamEvent, { nested_depth: number; run_id: string }>;

/** The tree with the node of the run that an event is of: within its step, or the run that began it. */
function withRunOf(tree: RunTree, event: AnyRunEvent): RunTree {
  const { run_id } = event;
  if (tree.nodes[run_id]) return tree;
  const name =
    ("agent_name" in event && event.agent_name) || ("team_name" in event && event.team_name) || run_id;
  const step = "step_id" in event && event.step_id !== undefined ? stepNodeId(event.step_id) : undefined;
  const parent = "parent_run_id" in event ? event.parent_run_id : undefined;
  // A member of a step's team has that team as its parent, which is nearer than the step.
  const nearest = parent !== undefined && parent !== tree.root && tree.nodes[parent] ? parent : step;
  const node: RunNode = { id: run_id, kind: "run", name: String(name), status: "running", parts: [] };
  return addNode(tree, nearest ?? parent ?? tree.root, node);
}

type StepEvent = Extract<StreamEvent, { workflow_name: string }>;

function applyStepEvent(tree: RunTree, event: StepEvent): RunTree {
  const isRoot = event.run_id === tree.root;
  const root = (change: (node: RunNode) => RunNode) => withNode(tree, tree.root, change);
  const note = (text: string) => root((node) => withNote(node, text));
  const ended = (status: NodeStatus) => root((node) => ({ ...node, status }));
  switch (event.event) {
    case "WorkflowStarted":
      return isRoot ? ended("running") : tree;
    case "WorkflowCompleted": {
      if (!isRoot) return tree;
      const done = root((node) => ({
        ...withAnswer(node, event.content),
        status: node.status === "cancelled" ? "cancelled" : "completed",
      }));
      return event.metrics ? { ...done, metrics: event.metrics } : done;
    }
    case "WorkflowPaused":
      return isRoot ? ended("paused") : tree;
    case "WorkflowCancelled":
      return isRoot ? ended("cancelled") : tree;
    case "WorkflowError":
      return isRoot ? root((node) => ({ ...node, status: "failed", error: event.error })) : tree;
    case "StepStarted":
      return withStep(tree, event, (node) => ({ ...node, status: "running" }));
    case "StepPaused":
    case "StepExecutorPaused":
    case "StepOutputReview":
      return withStep(tree, event, (node) => ({ ...node, status: "paused" }));
    case "StepContinued":
    case "StepExecutorContinued":
      return withStep(tree, event, (node) => ({ ...node, status: "running" }));
    case "StepCompleted":
      return withStep(tree, event, (node) => {
        const isShown = node.parts.some(({ kind }) => kind === "node");
        const status = event.step_response.success ? "completed" : "failed";
        const said = isShown ? node : withMedia(withAnswer(node, event.content), event);
        return { ...said, status, ...(event.step_response.error && { error: event.step_response.error }) };
      });
    case "StepError":
      return withStep(tree, event, (node) => ({ ...node, status: "failed", error: event.error }));
    case "ConditionExecutionStarted":
      return note(`Condition “${event.step_name}”: ${event.condition_result ? "yes" : "no"}`);
    case "LoopIterationStarted":
      return note(`Loop “${event.step_name}”: round ${event.iteration}`);
    case "RouterExecutionStarted":
      return note(
        `Router “${event.step_name}” continues with ${event.selected_steps.join(", ") || "nothing"}`,
      );
    case "ParallelExecutionStarted":
      return note(`“${event.step_name}”: ${countOf(event.parallel_step_count, "step")} at the same time`);
    default:
      return tree;
  }
}

const withNote = (node: RunNode, text: string): RunNode =>
  withPart(node, { kind: "note", id: `note-${node.parts.length}`, text });

type NamedStep = { readonly step_id?: string | undefined; readonly step_name: string };

function withStep(
  tree: RunTree,
  { step_id, step_name }: NamedStep,
  change: (node: RunNode) => RunNode,
): RunTree {
  const id = stepNodeId(step_id ?? step_name);
  const node: RunNode = { id, kind: "step", name: step_name, status: "running", parts: [] };
  return withNode(addNode(tree, tree.root, node), id, change);
}
