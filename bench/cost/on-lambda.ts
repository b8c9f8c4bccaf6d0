import type { Spent } from "../../local/lambda/messages.ts";
import type { FunctionModel } from "../../local/template/functions.ts";
import { figuresOf } from "../figures.ts";

/** One invocation on this machine. */
export type Invocation = { readonly fn: FunctionModel; readonly spent: Spent };

/** Total time of invocations: milliseconds on this machine, and the gigabyte-seconds that Lambda would bill. */
export type Time = { readonly hereMs: number; readonly cpuMs: number; readonly gigabyteSeconds: number };

/** Memory with which a function has one whole processor. @source Lambda developer guide, memory */
const WHOLE_PROCESSOR_MB = 1769;

/**
 * Estimates the billed duration of an invocation on AWS: computing takes longer there by the share of a processor that
 * comes with the function's memory, waiting takes as long.
 *
 * @decided  a laptop's milliseconds are not Lambda's. The only assumptions are that Lambda's whole processor is as fast
 *           as one here, and that DynamoDB answers as fast as DynamoDB Local does over two loopback hops (some 3 ms a
 *           call). Cold starts are not included, see docs/price.md.
 */
export const billedMs = ({ ms, cpuMs }: Pick<Spent, "ms" | "cpuMs">, memoryMb: number): number =>
  Math.ceil(cpuMs * Math.max(1, WHOLE_PROCESSOR_MB / memoryMb) + Math.max(0, ms - cpuMs));

export const timeOf = (invocations: readonly Invocation[]): Time => ({
  hereMs: invocations.reduce((sum, { spent }) => sum + spent.ms, 0),
  cpuMs: invocations.reduce((sum, { spent }) => sum + spent.cpuMs, 0),
  gigabyteSeconds: invocations.reduce(
    (sum, { fn, spent }) => sum + (billedMs(spent, fn.memoryMb) / 1000) * (fn.memoryMb / 1024),
    0,
  ),
});

/** The lower quartile of repeated measurements of the same work; slower ones are disturbed by other programs. */
export function undisturbed(all: readonly Time[]): Time {
  const quartile = (of: (time: Time) => number) => figuresOf(all.map(of)).p25;
  return {
    hereMs: quartile(({ hereMs }) => hereMs),
    cpuMs: quartile(({ cpuMs }) => cpuMs),
    gigabyteSeconds: quartile(({ gigabyteSeconds }) => gigabyteSeconds),
  };
}

/**
 * Bytes that Lambda itself writes into a function's log for each invocation (JSON, level INFO): a start and a report.
 *
 * @decided  counted by hand from the format's documentation; includes 26 bytes of overhead for each event
 */
export const LAMBDA_LOG_BYTES = 550;

/** A line of the HTTP API's access log in the format of `lib/api/http-api.ts`, with the 26 bytes of an event. */
export const ACCESS_LOG_BYTES = 420;

/** Bytes that CloudWatch Logs adds to each line. */
export const EVENT_BYTES = 26;
