import type { Span } from "../../schemas/traces/span.ts";
import { spanAttributes as names } from "../../schemas/traces/span-attributes.ts";
import type { TraceNode } from "../../schemas/traces/trace.ts";

type Metadata = Record<string, unknown>;

/**
 * The metadata of a span on the wire; nothing if it has none.
 *
 * @param all  of a root: every span of the trace
 * @source docs/interface/traces.md 1.6
 */
export function nodeMetadata(span: Span, all: readonly Span[] | undefined): Pick<TraceNode, "metadata"> {
  const members = { ...forKind(span, all !== undefined), ...(all ? totals(all) : context(span)) };
  const metadata = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}

function forKind({ attributes: of }: Span, isRoot: boolean): Metadata {
  switch (of[names.kind]) {
    case "AGENT":
    case "TEAM":
      return { run_id: of[names.run] };
    case "LLM":
      return {
        model: of[names.model],
        input_tokens: of[names.inputTokens],
        output_tokens: of[names.outputTokens],
      };
    case "TOOL":
      return { tool_name: of[names.tool], parameters: of[names.toolArguments] };
    case "WORKFLOW": {
      if (!isRoot) return {};
      const steps = of[names.steps];
      return {
        description: of[names.description],
        steps_count: Array.isArray(steps) ? steps.length : undefined,
        steps,
        step_types: of[names.stepTypes],
      };
    }
    default:
      return {};
  }
}

const context = ({ attributes: of }: Span): Metadata => ({
  session_id: of[names.conversation],
  user_id: of[names.user],
});

const totals = (all: readonly Span[]): Metadata => ({
  total_input_tokens: sumOf(all, names.inputTokens),
  total_output_tokens: sumOf(all, names.outputTokens),
});

function sumOf(spans: readonly Span[], name: string): number | undefined {
  const sum = spans.reduce((total, { attributes }) => total + Number(attributes[name] ?? 0), 0);
  return sum === 0 ? undefined : sum;
}
