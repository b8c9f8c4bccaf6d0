import type { Span } from "../../schemas/traces/span.ts";
import { spanAttributes as names } from "../../schemas/traces/span-attributes.ts";
import type { TraceNode } from "../../schemas/traces/trace.ts";
import { cutText } from "./cut-text.ts";
import { nodeMetadata } from "./node-metadata.ts";
import { lastSeen, sumsOf } from "./sums-of.ts";
import { durationMs, wireDuration, wireInstant } from "./wire-time.ts";

/** Most spans of one trace that are read. */
const MAX_SPANS = 1000;

export type SpanTree = {
  readonly span: Span;
  /** By start. */
  readonly children: readonly SpanTree[];
};

/** The roots of a trace, by start: a span whose parent is missing is one too. */
export function buildSpanTree(spans: readonly Span[]): SpanTree[] {
  const shown = [...spans].sort((a, b) => a.start_ms - b.start_ms).slice(0, MAX_SPANS);
  const ids = new Set(shown.map(({ id }) => id));
  const parentOf = ({ parent_id }: Span) =>
    parent_id !== undefined && ids.has(parent_id) ? parent_id : undefined;
  const children = Map.groupBy(shown, parentOf);
  const grow = (span: Span): SpanTree => ({ span, children: (children.get(span.id) ?? []).map(grow) });
  return (children.get(undefined) ?? []).map(grow);
}

/**
 * The nodes of a trace as the wire shows them.
 *
 * @param spans  all of the trace
 * @param chars  of each text, at most
 */
export const buildTree = (spans: readonly Span[], chars: number): TraceNode[] =>
  buildSpanTree(spans).map((root) => rootNode(root, spans, chars));

/** One span without its children; undefined if it does not exist. */
export function nodeOf(spans: readonly Span[], spanId: string, chars: number): TraceNode | undefined {
  const nodes = buildTree(spans, chars);
  const found = withId(nodes, spanId);
  if (!found) return undefined;
  const { spans: _, ...node } = found;
  return node;
}

function withId(nodes: readonly TraceNode[], id: string): TraceNode | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node : withId(node.spans ?? [], id);
    if (found) return found;
  }
  return undefined;
}

function rootNode({ span, children }: SpanTree, all: readonly Span[], chars: number): TraceNode {
  const sums = sumsOf(all);
  const times = sums ? timesOf(sums.start_ms, sums.end_ms) : {};
  const isWorkflow = kindOf(span) === "WORKFLOW";
  return {
    ...base(span),
    ...times,
    ...nodeMetadata(span, all),
    ...below(children, chars, isWorkflow),
  };
}

function childNode({ span, children }: SpanTree, chars: number, isStep: boolean): TraceNode {
  const { [names.input]: input, [names.output]: output, [names.stepType]: stepType } = span.attributes;
  return {
    ...base(span),
    ...(typeof input === "string" && { input: cutText(input, chars) }),
    ...(typeof output === "string" && { output: cutText(output, chars) }),
    ...(span.error !== undefined && { error: cutText(span.error, chars) }),
    ...(isStep && typeof stepType === "string" && { step_type: stepType }),
    ...nodeMetadata(span, undefined),
    ...below(children, chars, false),
  };
}

function below(children: readonly SpanTree[], chars: number, areSteps: boolean): Pick<TraceNode, "spans"> {
  if (children.length === 0) return {};
  return { spans: children.map((child) => childNode(child, chars, areSteps)) };
}

const kindOf = ({ attributes }: Span): string => String(attributes[names.kind] ?? "UNKNOWN");

const base = (span: Span) => ({
  id: span.id,
  name: span.name,
  type: kindOf(span),
  ...timesOf(span.start_ms, lastSeen(span)),
  status: span.status,
});

const timesOf = (start_ms: number, end_ms: number) => ({
  duration: wireDuration(durationMs(start_ms, end_ms)),
  start_time: wireInstant(start_ms),
  end_time: wireInstant(end_ms),
});
