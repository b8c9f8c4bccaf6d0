import { approvalRoutes } from "./approvals.ts";
import { auditRoutes } from "./audit.ts";
import { componentRoutes } from "./components.ts";
import { configRoutes } from "./config.ts";
import { databaseRoutes } from "./databases.ts";
import { deliveryRoutes } from "./deliveries.ts";
import { evalRoutes } from "./evals.ts";
import { feedbackRoutes } from "./feedback.ts";
import { knowledgeRoutes } from "./knowledge.ts";
import { learningRoutes } from "./learnings.ts";
import { memoryRoutes } from "./memories.ts";
import { metricsRoutes } from "./metrics.ts";
import { platformRoutes } from "./platform.ts";
import { a2aRoutes } from "./protocols/a2a.ts";
import { queueRoutes } from "./queue.ts";
import type { RouteTable } from "./route.ts";
import { runnableRoutes } from "./runnables.ts";
import { runRoutes } from "./runs.ts";
import { scheduleRoutes } from "./schedules.ts";
import { serviceAccountRoutes } from "./service-accounts.ts";
import { sessionRoutes } from "./sessions.ts";
import { traceRoutes } from "./traces.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Spelled out: the types of all rows are too many to be written where the package's types are. */
type Families = {
  readonly platform: typeof platformRoutes;
  readonly config: typeof configRoutes;
  readonly runnables: typeof runnableRoutes;
  readonly runs: typeof runRoutes;
  readonly queue: typeof queueRoutes;
  readonly "service-accounts": typeof serviceAccountRoutes;
  readonly approvals: typeof approvalRoutes;
  readonly sessions: typeof sessionRoutes;
  readonly knowledge: typeof knowledgeRoutes;
  readonly components: typeof componentRoutes;
  readonly databases: typeof databaseRoutes;
  readonly schedules: typeof scheduleRoutes;
  readonly memories: typeof memoryRoutes;
  readonly learnings: typeof learningRoutes;
  readonly evals: typeof evalRoutes;
  readonly feedback: typeof feedbackRoutes;
  readonly traces: typeof traceRoutes;
  readonly metrics: typeof metricsRoutes;
  readonly a2a: typeof a2aRoutes;
  readonly webhooks: typeof webhookRoutes;
  readonly deliveries: typeof deliveryRoutes;
  readonly audit: typeof auditRoutes;
};

/**
 * Every served operation, by family. A family is deployed as one function named after its key, whose code is in
 * `functions/<key>/index.ts`.
 */
export const families: Families = {
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
  feedback: feedbackRoutes,
  traces: traceRoutes,
  metrics: metricsRoutes,
  a2a: a2aRoutes,
  webhooks: webhookRoutes,
  deliveries: deliveryRoutes,
  audit: auditRoutes,
} satisfies Record<string, RouteTable>;

export type Family = keyof Families;
