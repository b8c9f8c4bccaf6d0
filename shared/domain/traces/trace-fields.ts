export const comparisons = ["EQ", "NEQ", "GT", "GTE", "LT", "LTE", "CONTAINS", "STARTSWITH", "IN"] as const;
export type Comparison = (typeof comparisons)[number];

type FieldType = "enum" | "string" | "number" | "datetime";
type Field = {
  readonly label: string;
  readonly type: FieldType;
  /** What a console offers; the other operators work too. */
  readonly operators: readonly Comparison[];
  readonly values?: readonly string[];
};

const id = (label: string): Field => ({
  label,
  type: "string",
  operators: ["EQ", "NEQ", "CONTAINS", "STARTSWITH", "IN"],
});
const instant = (label: string): Field => ({
  label,
  type: "datetime",
  operators: ["GT", "GTE", "LT", "LTE"],
});

/** Fields that traces can be searched by. */
export const traceFields = {
  status: { label: "Status", type: "enum", operators: ["EQ", "NEQ", "IN"], values: ["OK", "ERROR"] },
  user_id: id("User"),
  agent_id: id("Agent"),
  team_id: id("Team"),
  workflow_id: id("Workflow"),
  session_id: id("Session"),
  run_id: id("Run"),
  trace_id: id("Trace"),
  name: { label: "Name", type: "string", operators: ["EQ", "NEQ", "CONTAINS", "STARTSWITH"] },
  duration_ms: {
    label: "Duration in milliseconds",
    type: "number",
    operators: ["EQ", "NEQ", "GT", "GTE", "LT", "LTE"],
  },
  start_time: instant("Start"),
  end_time: instant("End"),
  created_at: instant("Written"),
} as const satisfies Record<string, Field>;

export type TraceField = keyof typeof traceFields;

/** @returns undefined for a name that is no field */
export const traceFieldOf = (name: unknown): TraceField | undefined =>
  typeof name === "string" && Object.hasOwn(traceFields, name) ? (name as TraceField) : undefined;
