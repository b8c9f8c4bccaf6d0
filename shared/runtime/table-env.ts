/** Environment variable that carries each table's name. */
export const tableVariable = {
  jobs: "JOBS_TABLE",
  runs: "RUNS_TABLE",
  sessions: "SESSIONS_TABLE",
  service_accounts: "SERVICE_ACCOUNTS_TABLE",
  budgets: "BUDGETS_TABLE",
} as const;

export type TableName = keyof typeof tableVariable;
export const tableNames = Object.keys(tableVariable) as readonly TableName[];

/** The names of all tables, as every function that has stores is given them. */
export type TableEnv = Readonly<Record<(typeof tableVariable)[TableName], string>>;
