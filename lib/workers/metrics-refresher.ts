import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { metricsRefresherEnv } from "../../shared/settings/environments.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";

/** A day with a hundred thousand runs takes less than a minute; the first refresh computes all days. A day that does not fit is continued by the next refresh. */
const TIMEOUT_SECONDS = 900;

/** The function that computes each day's metrics. Only the metrics family calls it, so it costs nothing when idle. */
export function createMetricsRefresher(
  scope: Construct,
  config: AppConfig,
  values: Omit<ServiceValues, "METRICS_REFRESHER" | "RUN_LOG_GROUPS">,
  resources: Grantable,
): IFunction {
  const refresher = createServiceFunction(scope, "MetricsRefresher", config, {
    bundle: "metrics-refresher",
    description: "Computes daily totals",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: 1024,
    environment: environmentFor(metricsRefresherEnv, {
      ...values,
      POWERTOOLS_SERVICE_NAME: "metrics-refresher",
    }),
  });
  grantNeeds(refresher, "metrics-refresher", resources);
  return refresher;
}
