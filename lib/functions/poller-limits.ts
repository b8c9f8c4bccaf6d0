/** Invocations that one provisioned poller of a queue has under way. @source Lambda guide, provisioned mode of SQS event sources */
export const FUNCTIONS_OF_A_POLLER = 10;
/** The highest maximum concurrency of an event source without provisioned pollers. @source Lambda guide, scaling of SQS event sources */
export const MOST_UNPROVISIONED = 1_000;
