/** What a plain run tells, repeated deltas once. @source docs/interface/runs.md 5.6 */
export const plainOrder = [
  "RunStarted",
  "ModelRequestStarted",
  "RunContent",
  "ModelRequestCompleted",
  "RunContentCompleted",
  "RunCompleted",
];
