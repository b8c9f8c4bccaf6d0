import type { Media, RunMetrics, ToolExecution } from "../../client/index.ts";

export type MediaLists = {
  readonly images?: readonly Media[] | undefined;
  readonly audio?: readonly Media[] | undefined;
  readonly videos?: readonly Media[] | undefined;
  readonly files?: readonly Media[] | undefined;
};

/** One thing that a run said or did. */
export type Part =
  | { readonly kind: "text" | "reasoning" | "note"; readonly id: string; readonly text: string }
  | { readonly kind: "value"; readonly id: string; readonly value: unknown }
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly tool: ToolExecution;
      readonly isRunning: boolean;
    }
  | { readonly kind: "media"; readonly id: string; readonly media: MediaLists }
  /** What was said to the run after it began. */
  | { readonly kind: "said"; readonly id: string; readonly text: string; readonly isRefused: boolean }
  /** A run or a step within this one. */
  | { readonly kind: "node"; readonly id: string };

export type NodeStatus = "running" | "completed" | "failed" | "paused" | "cancelled";

/** A run or a workflow's step, with what it said and did in order. */
export type RunNode = {
  readonly id: string;
  readonly kind: "run" | "step";
  readonly name: string;
  readonly status: NodeStatus;
  readonly parts: readonly Part[];
  readonly error?: string;
};

/** A run as it is known so far: a tree of nodes, each found by its id. */
export type RunTree = {
  readonly root: string;
  readonly nodes: Readonly<Record<string, RunNode>>;
  readonly followups: readonly string[];
  readonly metrics?: RunMetrics;
  readonly model?: string;
};

export const emptyTree = (root: string, name: string): RunTree => ({
  root,
  nodes: { [root]: { id: root, kind: "run", name, status: "running", parts: [] } },
  followups: [],
});

export const stepNodeId = (step_id: string): string => `step:${step_id}`;

/** A tree with one node changed. */
export function withNode(tree: RunTree, id: string, change: (node: RunNode) => RunNode): RunTree {
  const node = tree.nodes[id];
  return node ? { ...tree, nodes: { ...tree.nodes, [id]: change(node) } } : tree;
}

/** A tree with a node that is part of another; unchanged where it has it. */
export function addNode(tree: RunTree, parent: string, node: RunNode): RunTree {
  if (tree.nodes[node.id]) return tree;
  const within = tree.nodes[parent] ? parent : tree.root;
  const added = { ...tree, nodes: { ...tree.nodes, [node.id]: node } };
  return withNode(added, within, (one) => withPart(one, { kind: "node", id: node.id }));
}

export const withPart = (node: RunNode, part: Part): RunNode => ({ ...node, parts: [...node.parts, part] });

/** A node with a message to its run, in the place where the run read it. */
export function withSaidTo(node: RunNode, id: string, text: string, isRefused = false): RunNode {
  if (node.parts.some((part) => part.id === id)) return node;
  return withPart(node, { kind: "said", id, text, isRefused });
}

/** A node whose text goes on. A tool or another thing between two texts keeps them apart. */
export function withText(node: RunNode, kind: "text" | "reasoning", text: string): RunNode {
  if (text === "") return node;
  const last = node.parts.at(-1);
  if (last?.kind !== kind) return withPart(node, { kind, id: `${kind}-${node.parts.length}`, text });
  return { ...node, parts: [...node.parts.slice(0, -1), { ...last, text: last.text + text }] };
}

/** A node with a call as it stands now, in its place if it was there before. */
export function withTool(node: RunNode, tool: ToolExecution, isRunning: boolean): RunNode {
  const part: Part = { kind: "tool", id: tool.tool_call_id, tool, isRunning };
  const at = node.parts.findIndex((one) => one.kind === "tool" && one.id === tool.tool_call_id);
  return at < 0 ? withPart(node, part) : { ...node, parts: node.parts.with(at, part) };
}

/** A node with its answer, where the texts that arrived do not say it already. */
export function withAnswer(node: RunNode, content: unknown): RunNode {
  if (content === undefined || content === null || content === "") return node;
  if (typeof content !== "string") {
    // The same as text arrived before it was read as a value.
    const parts = node.parts.at(-1)?.kind === "text" ? node.parts.slice(0, -1) : node.parts;
    return withPart({ ...node, parts }, { kind: "value", id: `value-${parts.length}`, value: content });
  }
  const said = node.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  const isSaid = said.some((text) => text === content) || said.join("") === content;
  return isSaid ? node : withPart(node, { kind: "text", id: `text-${node.parts.length}`, text: content });
}

export function withMedia(node: RunNode, media: MediaLists): RunNode {
  const shown = new Set(node.parts.flatMap((part) => (part.kind === "media" ? idsOf(part.media) : [])));
  const added = idsOf(media).filter((id) => !shown.has(id));
  if (added.length === 0) return node;
  const fresh = (list: readonly Media[] | undefined) => list?.filter(({ id }) => !shown.has(id));
  const { images, audio, videos, files } = media;
  const own = { images: fresh(images), audio: fresh(audio), videos: fresh(videos), files: fresh(files) };
  return withPart(node, { kind: "media", id: `media-${node.parts.length}`, media: own });
}

const idsOf = ({ images = [], audio = [], videos = [], files = [] }: MediaLists): readonly string[] =>
  [...images, ...audio, ...videos, ...files].map(({ id }) => id);
