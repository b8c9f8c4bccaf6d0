import type { Comparison, TraceField } from "./trace-fields.ts";

/** A filter over the fields of a trace, as `read-filter.ts` has checked it. */
export type TraceFilter =
  | { readonly op: Exclude<Comparison, "IN">; readonly key: TraceField; readonly value: FieldValue }
  | { readonly op: "IN"; readonly key: TraceField; readonly values: readonly FieldValue[] }
  | { readonly op: "AND" | "OR"; readonly conditions: readonly TraceFilter[] }
  | { readonly op: "NOT"; readonly condition: TraceFilter };

/** Instants are epoch milliseconds. */
export type FieldValue = string | number;

/** The values that a filter is evaluated on: absent fields are unknown. */
export type TraceFacts = Readonly<Partial<Record<TraceField, FieldValue>>>;
