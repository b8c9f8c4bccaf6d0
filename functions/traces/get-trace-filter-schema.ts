import { traceFields } from "../../shared/domain/traces/trace-fields.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { traceRoutes } from "../../shared/routes/traces.ts";
import { traceOwner } from "./trace-owner.ts";
import type { TracesDeps } from "./traces-deps.ts";

export const getTraceFilterSchema: Handler<
  typeof traceRoutes.getTraceFilterSchema,
  Pick<TracesDeps, "db">
> = async ({ query, principal }) => {
  traceOwner(principal, query);
  const fields = Object.entries(traceFields).map(([key, field]) => ({
    key,
    label: field.label,
    type: field.type,
    operators: [...field.operators],
    values: "values" in field ? [...field.values] : null,
  }));
  return { fields, logical_operators: ["AND", "OR"] };
};
