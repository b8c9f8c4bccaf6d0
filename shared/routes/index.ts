import { a2aRoutes } from "./a2a.ts";
import { approvalRoutes } from "./approvals.ts";
import { componentRoutes } from "./components.ts";
import { configRoutes } from "./config.ts";
import { databaseRoutes } from "./databases.ts";
import { evalRoutes } from "./evals.ts";
import { knowledgeRoutes } from "./knowledge.ts";
import { learningRoutes } from "./learnings.ts";
import { memoryRoutes } from "./memories.ts";
import { metricsRoutes } from "./metrics.ts";
import { platformRoutes } from "./platform.ts";
import { queueRoutes } from "./queue.ts";
import type { RouteTable } from "./route.ts";
import { runnableRoutes } from "./runnables.ts";
import { runRoutes } from "./runs.ts";
import { scheduleRoutes } from "./schedules.ts";
import { serviceAccountRoutes } from "./service-accounts.ts";
import { sessionRoutes } from "./sessions.ts";
import { traceRoutes } from "./traces.ts";
import { webhookRoutes } from "./webhooks.ts";

/**
 * Every served operation, by family. A family is deployed as one function named after its key, whose code is in
 * `functions/<key>/index.ts`.
 */
export const families = {
  platform: platformRoutes,
  config: configRoutes,
  runnables: runnableRoutes,
  runs: runRoutes,
  queue: queueRoutes,
  "service-accounts": serviceAccountRoutes,
  approvals: approvalRoutes,
  sessions: sessionRoutes,
  knowledge: knowledgeRoutes,
  components: componentRoutes,
  databases: databaseRoutes,
  schedules: scheduleRoutes,
  memories: memoryRoutes,
  learnings: learningRoutes,
  evals: evalRoutes,
  traces: traceRoutes,
  metrics: metricsRoutes,
  a2a: a2aRoutes,
  webhooks: webhookRoutes,
} as const satisfies Record<string, RouteTable>;

export type Family = keyof typeof families;
