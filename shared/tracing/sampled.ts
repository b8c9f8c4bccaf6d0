/**
 * Whether a trace is recorded: the same share of trace ids as OpenTelemetry's sampler by ratio, so that services which sample
 * by the same ratio record the same traces.
 *
 * @param traceId  32 hexadecimal digits
 * @param ratio    0 to 1
 * @source OpenTelemetry SDK for JavaScript, `TraceIdRatioBasedSampler`
 */
export function isSampled(traceId: string, ratio: number): boolean {
  if (ratio >= 1) return true;
  const parts = [0, 8, 16, 24].map((at) => Number.parseInt(traceId.slice(at, at + 8), 16));
  const drawn = parts.reduce((folded, part) => (folded ^ part) >>> 0, 0);
  return drawn < Math.floor(ratio * 0xffff_ffff);
}
