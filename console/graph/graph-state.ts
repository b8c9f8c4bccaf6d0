import { BEGIN, END, type Graph, type GraphNode } from "./graph-of.ts";

/** What became of a node in a run. */
export type NodeState = "running" | "waiting" | "done" | "failed" | "skipped" | "to come";

/** A step of a run, as far as the state of a graph needs it. */
export type StateStep = {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly depth: number;
  readonly failed: boolean;
  readonly isRunning?: boolean;
  /** Of a workflow's step, where its run knows it. */
  readonly path?: string;
};

export type ShownState = {
  readonly state: NodeState;
  /** The step of the run that shows it. */
  readonly step?: string;
  /** How often it was executed, where that is more than once. */
  readonly times?: number;
};

type RunState = {
  readonly status: string;
  /** Paths of the steps that wait for people. */
  readonly waiting: readonly string[];
};

/** Names in a trace have lost what stood between their words, and paths in a loop have the number of the round. */
const keyOf = (path: string): string =>
  path
    .split("/")
    .filter((name) => !/^\d+$/.test(name))
    .map((name) => name.replaceAll(/[\s_-]/g, "_"))
    .join("/");

/** Steps by what node they are of, in the order in which they began. */
function stepsByNode(steps: readonly StateStep[]): ReadonlyMap<string, readonly StateStep[]> {
  const around: string[] = [];
  return Map.groupBy(steps, ({ kind, name, depth, path }) => {
    const isNamed = kind === "step" || kind === "agent" || kind === "team";
    around.length = Math.min(around.length, depth);
    around[depth] = isNamed ? name.replaceAll("/", " ") : "";
    if (path !== undefined) return keyOf(path);
    return isNamed ? keyOf(around.filter((one) => one).join("/")) : "";
  });
}

/** The state of each node of a workflow or a team in a run, by the node's id. */
export function statesIn(
  graph: Graph,
  steps: readonly StateStep[],
  run: RunState,
): ReadonlyMap<string, ShownState> {
  const byNode = stepsByNode(steps);
  const isOver = run.status !== "RUNNING" && run.status !== "PENDING" && run.status !== "PAUSED";
  const waiting = new Set(run.waiting.map(keyOf));
  const own = graph.nodes.map((node) => ({ node, done: byNode.get(keyOf(node.id)) ?? [] }));
  const isReached = ({ id }: GraphNode): boolean =>
    own.some(({ node, done }) => (node.id === id || node.within.includes(id)) && done.length > 0);
  const lastReached = graph.nodes.findLastIndex(isReached);
  const states = new Map<string, ShownState>();
  for (const [at, { node, done }] of own.entries()) {
    const last = done.at(-1);
    const more = { ...(last && { step: last.id }), ...(done.length > 1 && { times: done.length }) };
    states.set(node.id, { state: stateOf(at), ...more });
  }
  return states;

  function stateOf(at: number): NodeState {
    const { node, done } = own[at] ?? {};
    if (!node) return "to come";
    if (node.id === BEGIN) return "done";
    if (node.id === END) return run.status === "COMPLETED" ? "done" : isOver ? "skipped" : "to come";
    if (waiting.has(keyOf(node.id))) return "waiting";
    if (done?.some(({ isRunning }) => isRunning)) return "running";
    if (done?.at(-1)?.failed) return "failed";
    if (done && done.length > 0) return "done";
    if (isReached(node)) return isOver || (at < lastReached && !isOpen(node)) ? "done" : "running";
    const isPassed = at < lastReached && !mayStillBegin(node);
    return isOver || isPassed ? "skipped" : "to come";
  }

  /** What stands beside a step that goes on at the same time, or in a round that goes on, may begin yet; so may a member. */
  function mayStillBegin({ within }: GraphNode): boolean {
    return graph.nodes.some((around) => within.includes(around.id) && isOpen(around));
  }

  /** Whether a node that holds several others goes on, or one of them does. */
  function isOpen({ id, type }: GraphNode): boolean {
    const holds = type === "parallel" || type === "loop" || type === "team";
    return (
      holds &&
      own.some(
        ({ node, done }) =>
          (node.id === id || node.within.includes(id)) && done.some(({ isRunning }) => isRunning),
      )
    );
  }
}
