import { Metrics } from "@aws-lambda-powertools/metrics";
import { scopeFields } from "../log-scope.ts";
import type { Meter } from "./meter.ts";
import {
  METRIC_NAMESPACE,
  type OperationalMetric,
  operationalMetrics,
  serviceOf,
} from "./operational-metrics.ts";

/**
 * A meter that writes log lines in CloudWatch's embedded metric format: CloudWatch makes metrics of them, and locally
 * they are lines of the log. Ids of the request or the job are fields of the line, not dimensions: the line can be
 * searched by them, and they cost nothing.
 */
export function createMeter({ STAGE }: { readonly STAGE: string }): Meter {
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: serviceOf(STAGE) });
  return {
    record(figures, cause, about = {}) {
      const entries = Object.entries(figures);
      if (entries.length === 0) return;
      if (cause !== undefined) metrics.addDimension("cause", cause);
      for (const [name, value] of Object.entries({ ...scopeFields(), ...about }))
        metrics.addMetadata(name, String(value));
      for (const [name, value] of entries) {
        const metric = name as OperationalMetric; // a key of figures
        metrics.addMetric(metric, operationalMetrics[metric], value);
      }
      // Nothing awaits in between, so concurrent runs share no line.
      metrics.publishStoredMetrics();
    },
  };
}
