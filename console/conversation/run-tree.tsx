import { memo } from "react";
import { Badge } from "../parts/badge.tsx";
import { Answer, Bubble, Folded, MediaOf, Written } from "./message.tsx";
import type { NodeStatus, Part, RunNode, RunTree } from "./run-nodes.ts";
import { callOf, ToolCall } from "./tool-call.tsx";

type RunTreeProps = {
  readonly tree: RunTree;
  readonly session: string;
  /** Whether its events still arrive. */
  readonly isLive: boolean;
};

/** What a run said and did, with what its members and steps did in it. */
export function RunTreeView({ tree, session, isLive }: RunTreeProps) {
  const root = tree.nodes[tree.root];
  if (!root) return null;
  return (
    <Bubble by="assistant" name={root.name}>
      <NodeParts tree={tree} node={root} session={session} />
      {isLive && root.status === "running" && !saysSomething(tree, root) && <Writing />}
    </Bubble>
  );
}

/** Whether the reader sees already that something happens. */
const saysSomething = (tree: RunTree, { parts }: RunNode): boolean => {
  const last = parts.at(-1);
  if (last?.kind === "node") {
    const inner = tree.nodes[last.id];
    return inner?.status === "running";
  }
  return last?.kind === "text" || (last?.kind === "tool" && last.isRunning);
};

const Writing = () => (
  <div className="writing" role="img" aria-label="Working">
    <span />
    <span />
    <span />
  </div>
);

type NodeProps = { readonly tree: RunTree; readonly node: RunNode; readonly session: string };

function NodeParts({ tree, node, session }: NodeProps) {
  return (
    <>
      {node.parts.map((part) => {
        if (part.kind !== "node") return <PartView key={part.id} part={part} session={session} />;
        const inner = tree.nodes[part.id];
        if (!inner) return null;
        return <InnerNode key={part.id} tree={tree} node={inner} session={session} />;
      })}
    </>
  );
}

const tones = {
  running: "busy",
  completed: "good",
  failed: "bad",
  paused: "warn",
  cancelled: undefined,
} as const;
const words: Readonly<Record<NodeStatus, string>> = {
  running: "Running",
  completed: "Done",
  failed: "Failed",
  paused: "Waits",
  cancelled: "Cancelled",
};

function InnerNode({ tree, node, session }: NodeProps) {
  const tone = tones[node.status];
  const [only] = node.parts;
  // A step of one agent is that agent; two frames around one answer say nothing more.
  const inner =
    node.kind === "step" && node.parts.length === 1 && only?.kind === "node"
      ? tree.nodes[only.id]
      : undefined;
  const shown = inner ?? node;
  return (
    <div className="inner-run">
      <div className="inner-run-head">
        <span className="bubble-name">{node.name}</span>
        {inner && <span className="small faint">{inner.name}</span>}
        <Badge {...(tone && { tone })}>{words[node.status]}</Badge>
      </div>
      <NodeParts tree={tree} node={shown} session={session} />
      {node.error !== undefined && <div className="error-text plain-text">{node.error}</div>}
    </div>
  );
}

const PartView = memo(function PartView({
  part,
  session,
}: {
  readonly part: Part;
  readonly session: string;
}) {
  switch (part.kind) {
    case "text":
      return <Answer content={part.text} />;
    case "value":
      return <Answer content={part.value} />;
    case "reasoning":
      return (
        <Folded title="Reasoning">
          <Written text={part.text} />
        </Folded>
      );
    case "tool":
      return <ToolCall call={{ ...callOf(part.tool), running: part.isRunning }} />;
    case "media":
      return <MediaOf session={session} {...part.media} />;
    case "said":
      return (
        <div className="said-to">
          <Written text={part.text} />
          {part.isRefused && <Badge tone="bad">Refused</Badge>}
        </div>
      );
    case "note":
      return <div className="small faint">{part.text}</div>;
    default:
      return null;
  }
});
