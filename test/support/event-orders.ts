/** What a plain run tells, repeated deltas once. @source contract, runs-and-queue 5.5 */
export const plainOrder = [
  "RunStarted",
  "ModelRequestStarted",
  "RunContent",
  "ModelRequestCompleted",
  "RunContentCompleted",
  "RunCompleted",
];
