/**
 * Published on-demand prices of us-east-1 in dollars, as of 2026. They differ by region and change; the figures that
 * are multiplied with them are measured.
 */
export const prices = {
  /** DynamoDB, per request unit. */
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** SQS standard queue, per request; a message with a group (fair queues) costs the second on top when it is sent. */
  sqsRequest: 0.4 / 1e6,
  sqsGroup: 0.1 / 1e6,
  /** Lambda on arm64: per invocation, and per gigabyte and second. */
  invocation: 0.2 / 1e6,
  gigabyteSecond: 0.0000133334,
  /** CloudFront, per HTTPS request, beyond the ten million a month that are free. */
  edgeRequest: 1 / 1e6,
} as const;
