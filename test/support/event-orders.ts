/** What a plain run emits, repeated deltas once. @source docs/interface/runs.md 5.6 */
export const plainOrder = [
  "RunStarted",
  "ModelRequestStarted",
  "RunContent",
  "ModelRequestCompleted",
  "RunContentCompleted",
  "RunCompleted",
];

/** What a run emits that a person lets continue: its call is executed, and the model asked once more. */
export const confirmedOrder = [
  "RunContinued",
  "ToolCallStarted",
  "ToolCallCompleted",
  ...plainOrder.slice(1),
];
