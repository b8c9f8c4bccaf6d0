/**
 * Why an execution failed. It decides, in one place, whether a retry can help.
 *
 *   input       the request cannot be done: a guard, a schema or the model's service refuses it
 *   permission  the model's service refuses the credential
 *   timeout     the execution exceeded its time limit
 *   throttled   a service asked to slow down
 *   model       the model's service failed, broke off, or gave an unusable answer
 *   tools       a source of tools could not be reached, or a function of a workflow failed
 *   internal    a defect of the platform
 *
 * A crash is not among them, because no worker can report it: the sweeper finds it, and it counts against the same
 * attempts.
 */
export type FailureCause = "input" | "permission" | "timeout" | "throttled" | "model" | "tools" | "internal";
