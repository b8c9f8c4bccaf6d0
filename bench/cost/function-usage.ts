import type { CloudModel } from "../../local/template/cloud-model.ts";
import type { Written } from "./function-log-reader.ts";
import { EVENT_BYTES, LAMBDA_LOG_BYTES } from "./on-lambda.ts";
import { nothing, sumOf, type Usage } from "./usage.ts";

/** Usage of one function, without the time of its invocations. */
export type FunctionUsage = {
  readonly usage: Usage;
  /** Custom metrics that CloudWatch would extract from its log. */
  readonly ownMetrics: readonly string[];
};

type ByLabel<T> = ReadonlyMap<string, T>;

/**
 * Adds up the usage that was counted in several places.
 *
 * @param counted  invocations and units
 * @param calls    other calls to AWS
 * @param written  what was logged
 * @returns        usage including Lambda's own: a batch is received and deleted, an invocation is logged
 */
export function functionUsage(
  { eventSources }: Pick<CloudModel, "eventSources">,
  counted: ByLabel<Usage>,
  calls: ByLabel<Usage>,
  written: ByLabel<Written>,
): ByLabel<FunctionUsage> {
  const consumers = new Set(eventSources.map(({ function: { label } }) => label));
  const labels = new Set([...counted.keys(), ...calls.keys()]);
  return new Map(
    [...labels].map((label) => {
      const used = counted.get(label) ?? nothing;
      const { bytes = 0, count = 0, ownMetrics = [] } = written.get(label) ?? {};
      const added = {
        sqsRequests: consumers.has(label) ? 2 * used.invocations : 0,
        logBytes: bytes + count * EVENT_BYTES + used.invocations * LAMBDA_LOG_BYTES,
      };
      return [label, { usage: sumOf(used, calls.get(label) ?? nothing, added), ownMetrics }];
    }),
  );
}
