/**
 * What failed an execution: it decides, in one place, whether trying again can help.
 *
 *   input       what was asked cannot be done: a guard, a schema or the model's service refuses it
 *   permission  the model's service refuses the credential
 *   timeout     the execution's time was over
 *   throttled   a service asked to slow down
 *   model       the model's service failed, or broke off, or gave what cannot be used
 *   tools       a source of tools could not be reached
 *   internal    a fault of ours
 *
 * A crash is no cause that anybody can report: it is what the sweeper finds, and it counts against the same budget.
 */
export type FailureCause = "input" | "permission" | "timeout" | "throttled" | "model" | "tools" | "internal";
