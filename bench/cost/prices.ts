const MILLION = 1e6;
const GIB = 2 ** 30;

/**
 * List prices of us-east-1 in dollars, on demand and without the free allowances, as AWS published them on 2026-11-01.
 * Other regions cost up to a third more. The usage that they are multiplied with is measured.
 *
 * @source aws.amazon.com/<service>/pricing of DynamoDB, Lambda (arm64), SQS, API Gateway (HTTP API), CloudFront,
 *         EventBridge (Scheduler), S3, CloudWatch and Secrets Manager
 * @decided  two could not be checked again and are from memory: the extra price of a message in a fair queue, and that
 *           an alarm costs as much for each metric of an expression
 */
export const prices = {
  /** DynamoDB, per request unit. */
  writeUnit: 0.625 / MILLION,
  readUnit: 0.125 / MILLION,
  /** SQS standard queue, per request; a message with a group (fair queues) costs the second on top when it is sent. */
  sqsRequest: 0.4 / MILLION,
  sqsGroup: 0.1 / MILLION,
  /** Lambda on arm64: per invocation, and per gigabyte and second. */
  invocation: 0.2 / MILLION,
  gigabyteSecond: 0.0000133334,
  /** HTTP API, per request. */
  apiRequest: 1 / MILLION,
  /** CloudFront, per HTTPS request, beyond the ten million a month that are free. */
  edgeRequest: 1 / MILLION,
  /** EventBridge Scheduler, per invocation of a target. */
  schedulerInvocation: 1 / MILLION,
  /** S3: PUT and LIST; GET and all others. */
  objectWrite: 5 / MILLION,
  objectRead: 0.4 / MILLION,
  /** CloudWatch Logs, per ingested byte; storage costs a sixteenth of that a month. */
  logByte: 0.5 / GIB,
  /** CloudWatch, a month: an alarm for each of its metrics, a custom metric, a dashboard. */
  alarmMetricMonth: 0.1,
  ownMetricMonth: 0.3,
  dashboardMonth: 3,
  /** Secrets Manager: a secret, a month. Reading one costs 5 cents for 10,000 times; a function reads it once an hour. */
  secretMonth: 0.4,
} as const;

/** Free allowances of every account each month, without end. @source as above */
export const freeEachMonth = {
  invocations: MILLION,
  gigabyteSeconds: 400_000,
  sqsRequests: MILLION,
  schedulerInvocations: 14 * MILLION,
  alarmMetrics: 10,
  logBytes: 5 * GIB,
  ownMetrics: 10,
  dashboards: 3,
} as const;

export const HOURS_OF_MONTH = 730;
