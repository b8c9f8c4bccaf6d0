import { a2aExamples } from "./a2a/a2a-examples.ts";
import { approvalExamples } from "./approvals.ts";
import { componentExamples } from "./components.ts";
import { configExamples } from "./config.ts";
import { databaseExamples } from "./databases.ts";
import { deliveryExamples } from "./deliveries.ts";
import { evalExamples } from "./evals.ts";
import { knowledgeExamples } from "./knowledge.ts";
import { learningExamples } from "./learnings.ts";
import { memoryExamples } from "./memories.ts";
import { metricsExamples } from "./metrics.ts";
import { platformExamples } from "./platform.ts";
import { queueExamples } from "./queue.ts";
import { runnableExamples } from "./runnables.ts";
import { runExamples } from "./runs/run-examples.ts";
import { scheduleExamples } from "./schedules.ts";
import { serviceAccountExamples } from "./service-accounts.ts";
import { sessionExamples } from "./sessions.ts";
import { traceExamples } from "./traces.ts";
import { webhookExamples } from "./webhooks.ts";

/** Examples of all operations, by operation id. */
export const examples = {
  ...platformExamples,
  ...configExamples,
  ...runnableExamples,
  ...runExamples,
  ...queueExamples,
  ...serviceAccountExamples,
  ...approvalExamples,
  ...sessionExamples,
  ...knowledgeExamples,
  ...componentExamples,
  ...databaseExamples,
  ...scheduleExamples,
  ...memoryExamples,
  ...learningExamples,
  ...evalExamples,
  ...traceExamples,
  ...metricsExamples,
  ...a2aExamples,
  ...webhookExamples,
  ...deliveryExamples,
};
