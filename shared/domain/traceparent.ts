/** A span of another system. */
export type ForeignSpan = {
  /** 32 hexadecimal digits. */
  readonly trace_id: string;
  /** 16 hexadecimal digits. */
  readonly span_id: string;
};

const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const MAX_CHARS = 512;

/**
 * The span that a `traceparent` names.
 *
 * @returns undefined for one that is absent or malformed, which counts as none
 * @source W3C Trace Context, sections 3.2 and 4.3: a later version may have more parts
 */
export function foreignSpanIn(traceparent: string | undefined): ForeignSpan | undefined {
  const [, version, trace_id, span_id, more] = form.exec(traceparent?.slice(0, MAX_CHARS) ?? "") ?? [];
  if (trace_id === undefined || span_id === undefined) return undefined;
  return version === "00" && more !== undefined ? undefined : { trace_id, span_id };
}

export const traceparentOf = ({ trace_id, span_id }: ForeignSpan, isSampled: boolean): string =>
  `00-${trace_id}-${span_id}-${isSampled ? "01" : "00"}`;
