import { createServer } from "node:http";
import {
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { countThrottles } from "../../shared/data/count-throttles.ts";

/** What DynamoDB answers, one call after the other. */
const answers: { readonly status: number; readonly body: object }[] = [];
const server = createServer((request, response) => {
  request.resume();
  const { status, body } = answers.shift() ?? { status: 200, body: {} };
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
  response.end(JSON.stringify(body));
});
const refusal = (type: string, more: object = {}) => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: "too many", ...more },
});

let client: DynamoDBClient;
let stop: () => Promise<void>;
let counted = 0;
beforeAll(async () => {
  const served = await serveOnLoopback(server);
  stop = served.stop;
  const credentials = { accessKeyId: "one", secretAccessKey: "two" };
  client = new DynamoDBClient({ endpoint: served.address, region: "eu-west-1", credentials, maxAttempts: 3 });
  countThrottles(client, async () => {
    counted += 1;
  });
});
afterAll(async () => {
  client.destroy();
  await stop();
});

const Key = { pk: { S: "one" } };

test("counts each attempt that is refused, also where the next one succeeds, and no other refusal", async () => {
  answers.push(refusal("ProvisionedThroughputExceededException"), refusal("ThrottlingException"));
  await client.send(new GetItemCommand({ TableName: "runs", Key }));
  expect(counted).toBe(2);
  answers.push(refusal("ResourceNotFoundException"));
  await expect(client.send(new GetItemCommand({ TableName: "runs", Key }))).rejects.toThrow();
  await client.send(new ListTablesCommand());
  expect(counted).toBe(2);
});

test("counts a transaction that is cancelled for it, and what a batch did not write", async () => {
  const before = counted;
  const cancelled = (Code: string) =>
    refusal("TransactionCanceledException", { CancellationReasons: [{ Code: "None" }, { Code }] });
  answers.push(cancelled("ConditionalCheckFailed"), cancelled("ThrottlingError"));
  for (let i = 0; i < 2; i += 1)
    await expect(client.send(new GetItemCommand({ TableName: "runs", Key }))).rejects.toThrow();
  expect(counted - before).toBe(1);
  const runs = [{ DeleteRequest: { Key } }];
  answers.push(
    { status: 200, body: { UnprocessedItems: { runs } } },
    { status: 200, body: { UnprocessedItems: {} } },
  );
  for (let i = 0; i < 2; i += 1) await client.send(new BatchWriteItemCommand({ RequestItems: { runs } }));
  expect(counted - before).toBe(2);
});
