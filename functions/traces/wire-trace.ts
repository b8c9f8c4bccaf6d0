import { buildSpanTree, buildTree, type SpanTree } from "../../shared/domain/traces/build-tree.ts";
import { cutText } from "../../shared/domain/traces/cut-text.ts";
import { lastSeen } from "../../shared/domain/traces/sums-of.ts";
import { durationMs, wireDuration, wireInstant } from "../../shared/domain/traces/wire-time.ts";
import type { Span } from "../../shared/schemas/traces/span.ts";
import { spanAttributes } from "../../shared/schemas/traces/span-attributes.ts";
import type { TraceDetail, TraceSummary } from "../../shared/schemas/traces/trace.ts";
import type { StoredTrace } from "../../shared/stores/traces/index.ts";

/** A trace as lists show it: what is not known is left out. */
export function traceSummary(trace: StoredTrace): TraceSummary {
  const { start_ms, end_ms, created_ms, user_id, expires_at: _, ...shown } = trace;
  return {
    ...shown,
    duration: wireDuration(durationMs(start_ms, end_ms)),
    start_time: wireInstant(start_ms),
    end_time: wireInstant(end_ms),
    created_at: wireInstant(created_ms),
    ...(user_id !== null && { user_id }),
  };
}

/**
 * A trace with its tree.
 *
 * @param chars  of each text, at most
 * @source docs/interface/traces.md 1.5
 */
export function traceDetail(trace: StoredTrace, spans: readonly Span[], chars: number): TraceDetail {
  const { input: _, ...summary } = traceSummary(trace);
  const root = buildSpanTree(spans)[0];
  const input = root && textOf(root.span, spanAttributes.input);
  const output = root && (textOf(root.span, spanAttributes.output) ?? lastOutput(root.children));
  const error = spans.find((span) => span.status === "ERROR")?.error;
  return {
    ...summary,
    ...(input !== undefined && { input: cutText(input, chars) }),
    ...(trace.status === "ERROR"
      ? { error: cutText(root?.span.error ?? error ?? "", chars) }
      : output !== undefined && { output: cutText(output, chars) }),
    tree: buildTree(spans, chars),
  };
}

/** The output of what ended last directly below a root that has none itself. */
function lastOutput(children: readonly SpanTree[]): string | undefined {
  const ended = children.filter(({ span }) => span.end_ms !== undefined);
  const last = ended.sort((a, b) => lastSeen(a.span) - lastSeen(b.span)).at(-1);
  return last && textOf(last.span, spanAttributes.output);
}

function textOf({ attributes }: Span, name: string): string | undefined {
  const text = attributes[name];
  return typeof text === "string" ? text : undefined;
}
