import { Graph as LaidOut, layout } from "@dagrejs/dagre";
import {
  Bot,
  Check,
  CircleDashed,
  CircleX,
  Flag,
  GitBranch,
  Hourglass,
  LoaderCircle,
  LogIn,
  Repeat,
  SkipForward,
  Split,
  SquareFunction,
  Users,
  Workflow,
} from "lucide-react";
import { useMemo } from "react";
import { useWidth } from "../parts/list/use-width.ts";
import type { Graph, GraphNode } from "./graph-of.ts";
import type { NodeState, ShownState } from "./graph-state.ts";

export type GraphProps = {
  readonly label: string;
  readonly graph: Graph;
  /** By the node's id; absent where nothing runs. */
  readonly states?: ReadonlyMap<string, ShownState>;
  /** Called with the node that a reader has chosen. */
  readonly onChoose: (node: GraphNode) => void;
  /** Whether there is something to see of a node. */
  readonly canChoose: (node: GraphNode) => boolean;
};

const icons = {
  begin: LogIn,
  end: Flag,
  agent: Bot,
  team: Users,
  workflow: Workflow,
  function: SquareFunction,
  parallel: Split,
  choice: GitBranch,
  loop: Repeat,
};
const typeNames = {
  begin: "",
  end: "",
  agent: "Agent",
  team: "Team",
  workflow: "Workflow",
  function: "Function",
  parallel: "At the same time",
  choice: "Choice",
  loop: "Loop",
};
const stateIcons = {
  running: LoaderCircle,
  waiting: Hourglass,
  done: Check,
  failed: CircleX,
  skipped: SkipForward,
  "to come": CircleDashed,
};
const stateNames: Readonly<Record<NodeState, string>> = {
  running: "Running",
  waiting: "Waits",
  done: "Done",
  failed: "Failed",
  skipped: "Skipped",
  "to come": "To come",
};

const HEIGHT = 52;
/** Navigation and margins of a wide window. A graph that fits beside them goes from left to right, any other one downwards. */
const BESIDE_GRAPH = 290;
const BESIDE_NAME = 84;
const PER_CHARACTER = 8.2;

const widthOf = ({ name, type, runs }: GraphNode): number => {
  const longest = Math.max(name.length, (runs?.id ?? typeNames[type]).length * 0.8);
  return Math.min(300, Math.max(104, BESIDE_NAME + longest * PER_CHARACTER));
};

/** Nodes at their places, and lines between them. */
export default function GraphDrawn({ label, graph, states, onChoose, canChoose }: GraphProps) {
  const space = useWidth() - BESIDE_GRAPH;
  const drawn = useMemo(() => {
    const across = laidOut(graph, true);
    return across.width <= space ? across : laidOut(graph, false);
  }, [graph, space]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach
    <figure className="graph" aria-label={label} tabIndex={0}>
      <div className="graph-plane" style={{ width: drawn.width, height: drawn.height }}>
        <svg className="graph-lines" width={drawn.width} height={drawn.height} aria-hidden>
          {drawn.edges.map(({ from, to, isBack, path }) => (
            <path
              key={`${from} ${to} ${isBack}`}
              d={path}
              className={`graph-line${isTaken(states, from, to) ? " graph-line-taken" : ""}${isBack ? " graph-line-back" : ""}`}
            />
          ))}
        </svg>
        {drawn.edges.map(
          ({ from, to, label: text, at }) =>
            text !== undefined && (
              <span key={`${from} ${to} ${text}`} className="graph-label" style={{ left: at.x, top: at.y }}>
                {text}
              </span>
            ),
        )}
        {drawn.nodes.map(({ node, x, y, width: wide }) => (
          <Node
            key={node.id}
            node={node}
            shown={states?.get(node.id)}
            place={{ left: x - wide / 2, top: y - HEIGHT / 2, width: wide, height: HEIGHT }}
            {...(canChoose(node) && { onChoose: () => onChoose(node) })}
          />
        ))}
      </div>
    </figure>
  );
}

function isTaken(states: GraphProps["states"], from: string, to: string): boolean {
  const was = (id: string) => {
    const state = states?.get(id)?.state;
    return state !== undefined && state !== "skipped" && state !== "to come";
  };
  return was(from) && was(to);
}

type NodeProps = {
  readonly node: GraphNode;
  readonly shown: ShownState | undefined;
  readonly place: React.CSSProperties;
  readonly onChoose?: () => void;
};

function Node({ node, shown, place, onChoose }: NodeProps) {
  const { name, type, runs } = node;
  const Icon = icons[type];
  const about = [
    runs && runs.id !== name ? runs.id : typeNames[type],
    shown?.times && `${shown.times} times`,
  ];
  const StateIcon = shown && stateIcons[shown.state];
  const content = (
    <>
      <Icon size={16} aria-hidden className="graph-icon" />
      <span className="graph-text">
        <span className="graph-name cut" title={name}>
          {name}
        </span>
        <span className="small cut graph-about">{about.filter(Boolean).join(" · ")}</span>
      </span>
      {StateIcon && (
        <StateIcon size={15} role="img" aria-label={stateNames[shown.state]} className="graph-state" />
      )}
    </>
  );
  const look = {
    className: `graph-node graph-node-${type}`,
    "data-state": shown?.state,
    style: place,
  };
  return onChoose ? (
    <button type="button" {...look} onClick={onChoose}>
      {content}
    </button>
  ) : (
    <div {...look}>{content}</div>
  );
}

type Point = { readonly x: number; readonly y: number };

function laidOut({ nodes, edges }: Graph, goesRight: boolean) {
  const plane = new LaidOut({ multigraph: true });
  plane.setGraph({
    rankdir: goesRight ? "LR" : "TB",
    nodesep: 18,
    ranksep: goesRight ? 32 : 28,
    marginx: 16,
    marginy: 16,
  });
  plane.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) plane.setNode(node.id, { width: widthOf(node), height: HEIGHT });
  for (const { from, to, label, isBack } of edges) {
    // A line back has no part in the order of nodes.
    const [first, second] = isBack ? [to, from] : [from, to];
    const size = label === undefined ? {} : { width: 34, height: 18, labelpos: "c" };
    plane.setEdge({ v: first, w: second, name: isBack ? "back" : "on" }, { ...size, weight: isBack ? 0 : 1 });
  }
  layout(plane);
  const { width = 0, height = 0 } = plane.graph();
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const { x, y } = plane.node(node.id);
      return { node, x, y, width: widthOf(node) };
    }),
    edges: edges.map((edge) => {
      const [v, w] = edge.isBack ? [edge.to, edge.from] : [edge.from, edge.to];
      const { points } = plane.edge({ v, w, name: edge.isBack ? "back" : "on" });
      const line = edge.isBack ? points.toReversed() : points;
      const at = line[Math.floor(line.length / 2)] ?? { x: 0, y: 0 };
      return { ...edge, path: smooth(line), at };
    }),
  };
}

/** A line through points without corners. */
function smooth(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const parts = rest.map((point, at) => {
    const next = rest[at + 1];
    if (!next) return `L${point.x},${point.y}`;
    return `Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`;
  });
  return `M${first.x},${first.y}${parts.join("")}`;
}
