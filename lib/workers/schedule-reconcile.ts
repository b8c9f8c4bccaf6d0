import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { scheduleReconcileEnv } from "../../shared/settings/environments.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { environmentFor } from "../functions/environment.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { createTimer } from "../functions/timer.ts";

/** Ten thousand schedules take seconds; the rest is for runs of removed ones. */
const TIMEOUT_SECONDS = 300;

/**
 * The function that compares the schedules with the scheduler's entries: once a day, and soon after their group was made.
 * It is called more often than it compares, so that users wait minutes and not a day for schedules that came back, also
 * where its first call fails because its role is not known everywhere yet.
 */
export function createScheduleReconcile(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
): IFunction {
  const fn = createServiceFunction(scope, "ScheduleReconcile", config, {
    bundle: "schedule-reconcile",
    description: "Brings the scheduler in step with the schedules",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: 512,
    environment: environmentFor(scheduleReconcileEnv, {
      ...values,
      POWERTOOLS_SERVICE_NAME: "schedule-reconcile",
    }),
  });
  createTimer(scope, "ReconcileSchedules", fn, "5 minutes");
  grantNeeds(fn, "schedule-reconcile", resources);
  return fn;
}
