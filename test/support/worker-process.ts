/**
 * A worker in a process of its own, which a test can stop and continue: it executes the jobs it is started for, side by
 * side, against the tables of the process that started it, and ends.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { TableName } from "../../shared/settings/table-env.ts";
import { dbOver } from "../../shared/stores/db.ts";
import { objectsInMemory } from "./objects-in-memory.ts";
import { chargeTool } from "./payment-service.ts";
import { type QueueSettings, queueWorld } from "./queue-world.ts";

/** What the process receives, as JSON in its first argument. */
export type WorkerOrder = {
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
  readonly settings: Partial<QueueSettings>;
  /** Address of the payment service. */
  readonly payments: string;
  readonly jobs: readonly string[];
};

const order: WorkerOrder = JSON.parse(process.argv[2] ?? "{}");
const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
const client = new DynamoDBClient({ endpoint: order.endpoint, region: "us-east-1", credentials });
const db = dbOver(client, order.tables, objectsInMemory());
const world = queueWorld(db, order.settings, { ...systemClock, advance: () => undefined });
const tools = [chargeTool(order.payments, "once")];
const agent = defineAgent({ id: "assistant", name: "Assistant", tools });
// Checks of the locks are sent by the process that started this one, which has the queue in its hand.
const overrides = { findRunnable: async () => agent, askForLockCheck: async () => undefined };
const executed = order.jobs.map((id) => world.deliver(id, overrides));
const failed = (await Promise.allSettled(executed)).filter(({ status }) => status === "rejected");
for (const one of failed) console.error("reason" in one ? one.reason : one);
process.exit(0);
