/** Environment variable that carries each table's name. */
export const tableVariable = {
  jobs: "JOBS_TABLE",
  runs: "RUNS_TABLE",
  sessions: "SESSIONS_TABLE",
  service_accounts: "SERVICE_ACCOUNTS_TABLE",
  budgets: "BUDGETS_TABLE",
  approvals: "APPROVALS_TABLE",
  components: "COMPONENTS_TABLE",
  databases: "DATABASES_TABLE",
  schedules: "SCHEDULES_TABLE",
  memories: "MEMORIES_TABLE",
  learnings: "LEARNINGS_TABLE",
  knowledge: "KNOWLEDGE_TABLE",
  chunks: "CHUNKS_TABLE",
  evals: "EVALS_TABLE",
  feedback: "FEEDBACK_TABLE",
  traces: "TRACES_TABLE",
  metrics: "METRICS_TABLE",
  chats: "CHATS_TABLE",
  outbox: "OUTBOX_TABLE",
  audit: "AUDIT_TABLE",
} as const;

export type TableName = keyof typeof tableVariable;
export const tableNames = Object.keys(tableVariable) as readonly TableName[];

/** One value for each table. */
export function forEachTable<T>(make: (name: TableName) => T): Record<TableName, T> {
  // One entry for each name of the list; `Object.fromEntries` loses the names' types.
  return Object.fromEntries(tableNames.map((name) => [name, make(name)])) as Record<TableName, T>;
}

/** The names of all tables, in the environment of every function that has stores. */
export type TableEnv = Readonly<Record<(typeof tableVariable)[TableName], string>>;
