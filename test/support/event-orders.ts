/** What a plain run emits, repeated deltas once. @source docs/interface/runs.md 5.6 */
export const plainOrder = [
  "RunStarted",
  "ModelRequestStarted",
  "RunContent",
  "ModelRequestCompleted",
  "RunContentCompleted",
  "RunCompleted",
];
