/**
 * A worker of deliveries in a process of its own, which a test can kill: it does what is due of one subject, against the
 * tables of the process that started it, and ends.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { processSubject } from "../../functions/delivery-worker/process-subject.ts";
import type { SigningRoots } from "../../shared/outbound/signing-keys.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import type { TableName } from "../../shared/settings/table-env.ts";
import { dbOver } from "../../shared/stores/db.ts";
import { openOutbox } from "../../shared/stores/outbox/outbox.ts";
import { objectsInMemory } from "./objects-in-memory.ts";

/** What the process receives, as JSON in its first argument. */
export type DeliveryOrder = {
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
  readonly subject: string;
  readonly roots: SigningRoots;
  readonly allowedHosts: readonly string[];
  /** Whether it says `leased` and waits before it sends. */
  readonly waits: boolean;
};

const order: DeliveryOrder = JSON.parse(process.argv[2] ?? "{}");
const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
const client = new DynamoDBClient({ endpoint: order.endpoint, region: "us-east-1", credentials });
const stored = dbOver(client, order.tables, objectsInMemory());
const subscribers = { webhooks: true, bus: false, taskTokens: false, retentionDays: 30 };
await processSubject(
  {
    db: { ...stored, outbox: openOutbox(stored.client, order.tables.outbox, subscribers, systemClock) },
    queue: { send: async () => {} },
    // Asked for between the lease and the message.
    signingRoots: async () => {
      if (order.waits) {
        process.stdout.write("leased");
        await systemClock.sleep(60_000);
      }
      return order.roots;
    },
    newWorkerId: newId,
    random: Math.random,
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    settings: {
      FETCH_ALLOWED_HOSTS: order.allowedHosts,
      EVENT_BUS_CONTENTS: "false",
      OS_ID: "agent-platform",
      STAGE: "test",
    },
  },
  { subject: order.subject },
);
process.exit(0);
