/** Runs the refresher in a thread with a limited heap. Started by `metrics.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { refreshDays } from "../../functions/housekeeper/figures/refresh-days.ts";
import { SLICE_SIZE } from "../../functions/housekeeper/figures/refresher-deps.ts";
import { dbOver } from "../../shared/stores/db.ts";
import { objectsInMemory } from "../../test/support/objects-in-memory.ts";
import { watchedDb } from "../../test/support/watched-db.ts";
import { itemsOf } from "../timed-items.ts";

const { endpoint, tables, call, now } = workerData;
const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
let requests = 0;
let items = 0;
const db = watchedDb(dbOver(client, tables, objectsInMemory()), {
  after: (_command, answer) => {
    requests += 1;
    items += itemsOf(Object(answer));
  },
});
const log = { info: console.log, warn: console.log, error: console.log };
const clock = { now: () => now * 1000, sleep: async () => undefined };
const startedAt = performance.now();
await refreshDays({ db, clock, log, sliceSize: SLICE_SIZE }, call, 900_000);
parentPort?.postMessage({ seconds: (performance.now() - startedAt) / 1000, requests, items });
client.destroy();
