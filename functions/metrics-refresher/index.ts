import type { Context } from "aws-lambda";
import * as v from "valibot";
import { RefreshCall } from "../../shared/domain/metrics/refresh-call.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { inLogScope } from "../../shared/runtime/log-scope.ts";
import { metricsRefresherEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { refreshDays } from "./refresh-days.ts";
import { type RefresherDeps, SLICE_SIZE } from "./refresher-deps.ts";

const env = readEnv(metricsRefresherEnv);
const deps: RefresherDeps = {
  db: connectDb(env),
  clock: systemClock,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  sliceSize: SLICE_SIZE,
};

/** Computes the metrics of one scope, after a request has recorded the refresh. */
export async function handler(event: unknown, context: Context): Promise<void> {
  const call = v.parse(RefreshCall, event);
  await inLogScope({ request_id: context.awsRequestId }, () =>
    refreshDays(deps, call, context.getRemainingTimeInMillis()),
  );
}
