import type { CloudModel } from "../../local/template/cloud-model.ts";
import type { Written } from "./function-log-reader.ts";
import { EVENT_BYTES, LAMBDA_LOG_BYTES } from "./on-lambda.ts";
import { nothing, sumOf, type Usage } from "./usage.ts";

/** What one function used; the time of its invocations is told apart. */
export type FunctionUsage = {
  readonly usage: Usage;
  /** Metrics of its own that CloudWatch would make of its log. */
  readonly ownMetrics: readonly string[];
};

type ByLabel<T> = ReadonlyMap<string, T>;

/**
 * Puts together what was counted in several places.
 *
 * @param counted  invocations and units
 * @param calls    other calls to AWS
 * @param written  what was logged
 * @returns        with what Lambda adds: a batch is fetched and deleted, an invocation is logged
 */
export function functionUsage(
  { eventSources }: Pick<CloudModel, "eventSources">,
  counted: ByLabel<Usage>,
  calls: ByLabel<Usage>,
  written: ByLabel<Written>,
): ByLabel<FunctionUsage> {
  const fed = new Set(eventSources.map(({ function: { label } }) => label));
  const labels = new Set([...counted.keys(), ...calls.keys()]);
  return new Map(
    [...labels].map((label) => {
      const used = counted.get(label) ?? nothing;
      const { bytes = 0, count = 0, ownMetrics = [] } = written.get(label) ?? {};
      const added = {
        sqsRequests: fed.has(label) ? 2 * used.invocations : 0,
        logBytes: bytes + count * EVENT_BYTES + used.invocations * LAMBDA_LOG_BYTES,
      };
      return [label, { usage: sumOf(used, calls.get(label) ?? nothing, added), ownMetrics }];
    }),
  );
}
