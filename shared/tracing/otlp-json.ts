import { version } from "../runtime/version.ts";
import { GENAI_SEMCONV } from "./conventional-span.ts";

/** A request waits no longer for an endpoint that does not answer. */
export const OTLP_TIMEOUT_MS = 2_000;

/** By what signals are recorded, as each request names it. */
export const otlpScope = {
  name: "agent-platform",
  version: `${version}+genai.${GENAI_SEMCONV}`,
} as const;

/** Values in the form of OTLP's JSON: figures are doubles, and all else is text. */
export const otlpAttributes = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { doubleValue: value } : { stringValue: String(value) },
  }));

/** 64-bit integers are texts in OTLP's JSON. */
export const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n);

/** The endpoint of another signal, beside one of traces; undefined where its address does not say. */
export const besideTraces = (url: string, signal: "metrics" | "logs"): string | undefined =>
  url.endsWith("/v1/traces") ? url.replace(/traces$/, signal) : undefined;

/** Sends one request of JSON. @throws where the endpoint did not take it */
export async function postOtlp(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
    signal: AbortSignal.timeout(OTLP_TIMEOUT_MS),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the endpoint answered with ${answer.status}`);
}
