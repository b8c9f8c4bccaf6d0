import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Cloud } from "../../local/cloud.ts";
import { fixtureCloud, installed } from "./fixture-cloud.ts";

/** Does what the request asks with a real SDK client, and returns how that went. */
const client = `
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand, TransactWriteItemsCommand, ListTablesCommand } from ${installed("@aws-sdk/client-dynamodb")};
import { SQSClient, SendMessageCommand, PurgeQueueCommand } from ${installed("@aws-sdk/client-sqs")};
import { LambdaClient, InvokeCommand } from ${installed("@aws-sdk/client-lambda")};
const dynamo = new DynamoDBClient({ maxAttempts: 1 });
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false, maxAttempts: 1 });
const lambda = new LambdaClient({ maxAttempts: 1 });
const { TABLE, QUEUE, OTHER } = process.env;
const item = { pk: { S: "1" }, sk: { S: "1" }, at: { S: "x" } };
const doing = {
  get: () => dynamo.send(new GetItemCommand({ TableName: TABLE, Key: { pk: item.pk, sk: item.sk } })),
  put: () => dynamo.send(new PutItemCommand({ TableName: TABLE, Item: item })),
  index: () => dynamo.send(new QueryCommand({ TableName: TABLE, IndexName: "by_at", KeyConditionExpression: "#at = :at", ExpressionAttributeNames: { "#at": "at" }, ExpressionAttributeValues: { ":at": item.at } })),
  transact: () => dynamo.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName: TABLE, Item: item } }] })),
  list: () => dynamo.send(new ListTablesCommand({})),
  send: () => sqs.send(new SendMessageCommand({ QueueUrl: QUEUE, MessageBody: "hello" })),
  purge: () => sqs.send(new PurgeQueueCommand({ QueueUrl: QUEUE })),
  invoke: async () => Buffer.from((await lambda.send(new InvokeCommand({ FunctionName: OTHER, Payload: '{"rawPath":"/x/none"}' }))).Payload).toString(),
};
export const handler = async ({ rawPath }) => {
  const what = rawPath.split("/")[2];
  if (!doing[what]) return "did nothing";
  try {
    return { ok: true, result: await doing[what]() };
  } catch (error) {
    return { ok: false, error: error.name, message: error.message };
  }
};`;

const environment = { TABLE: { Ref: "Things" }, QUEUE: { Ref: "Mail" }, OTHER: { Ref: "stranger" } };
const tableArn = { "Fn::GetAtt": ["Things", "Arn"] };

let cloud: Cloud;
beforeAll(async () => {
  cloud = await fixtureCloud({
    functions: {
      writer: {
        code: client,
        environment,
        allow: [
          { actions: ["dynamodb:GetItem", "dynamodb:PutItem"], resource: tableArn },
          { actions: ["dynamodb:Query"], resource: { "Fn::Join": ["", [tableArn, "/index/by_at"]] } },
          { actions: ["sqs:SendMessage"], resource: { "Fn::GetAtt": ["Mail", "Arn"] } },
          { actions: ["lambda:InvokeFunction"], resource: { "Fn::GetAtt": ["stranger", "Arn"] } },
        ],
      },
      reader: { code: client, environment, allow: [{ actions: ["dynamodb:GetItem"], resource: tableArn }] },
      stranger: { code: client, environment },
    },
    routes: { "GET /writer/{do}": "writer", "GET /reader/{do}": "reader", "GET /stranger/{do}": "stranger" },
    resources: {
      Things: {
        Type: "AWS::DynamoDB::Table",
        Properties: {
          KeySchema: [
            { AttributeName: "pk", KeyType: "HASH" },
            { AttributeName: "sk", KeyType: "RANGE" },
          ],
          AttributeDefinitions: ["pk", "sk", "at"].map((name) => ({
            AttributeName: name,
            AttributeType: "S",
          })),
          GlobalSecondaryIndexes: [
            {
              IndexName: "by_at",
              KeySchema: [{ AttributeName: "at", KeyType: "HASH" }],
              Projection: { ProjectionType: "ALL" },
            },
          ],
          TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true },
        },
      },
      Mail: { Type: "AWS::SQS::Queue" },
    },
  });
});
afterEach(() => cloud.faults.clear());
afterAll(() => cloud.stop());

async function ask(
  path: string,
): Promise<{ ok: boolean; error?: string; message?: string; result?: unknown }> {
  return JSON.parse(await (await fetch(cloud.url + path)).text());
}

test.each(["put", "get", "index", "transact", "send", "invoke"])(
  "a function with the grant may %s",
  async (what) => {
    expect(await ask(`/writer/${what}`)).toMatchObject({ ok: true });
  },
);

test.each(["put", "index", "transact", "send", "invoke"])(
  "a function without the grant to %s gets AccessDeniedException",
  async (what) => {
    const answer = await ask(`/reader/${what}`);
    expect(answer).toMatchObject({ ok: false, error: "AccessDeniedException" });
    expect(answer.message).toMatch(
      /fixture-reader is not authorized to perform: \w+:\w+ on resource: arn:aws:/,
    );
  },
);

test("a function without any grant gets nothing", async () => {
  expect(await ask("/stranger/get")).toMatchObject({ ok: false, error: "AccessDeniedException" });
});

test.each(["list", "purge"])("an operation that is unknown (%s) is refused", async (what) => {
  expect(await ask(`/writer/${what}`)).toMatchObject({ ok: false, error: "AccessDeniedException" });
});

test("an access key that belongs to no function is refused", async () => {
  const stranger = cloud.model.functions[0]?.environment.QUEUE ?? "";
  const response = await fetch(new URL("/", stranger), {
    method: "POST",
    headers: { "x-amz-target": "DynamoDB_20120810.GetItem", authorization: "AWS4 Credential=UNKNOWN/x" },
    body: "{}",
  });
  expect(response.status).toBe(403);
});

test("an invoked function answers its caller", async () => {
  expect(await ask("/writer/invoke")).toMatchObject({ result: '"did nothing"' });
});

test("a test can make the calls of one function fail", async () => {
  cloud.faults.set(({ caller, operation }) =>
    caller.label === "writer" && operation === "PutItem"
      ? { status: 400, type: "ProvisionedThroughputExceededException" }
      : undefined,
  );
  expect(await ask("/writer/put")).toMatchObject({ error: "ProvisionedThroughputExceededException" });
  expect(await ask("/writer/get")).toMatchObject({ ok: true });
  cloud.faults.set(({ operation }) => (operation === "GetItem" ? "drop" : undefined));
  expect(await ask("/writer/get")).toMatchObject({ ok: false });
  expect(await ask("/writer/put")).toMatchObject({ ok: true });
});

test("calls are counted by function and operation", async () => {
  const before = cloud.calls()["writer dynamodb:GetItem"] ?? 0;
  await ask("/writer/get");
  await ask("/reader/put");
  expect(cloud.calls()["writer dynamodb:GetItem"]).toBe(before + 1);
  expect(cloud.calls()["reader dynamodb:PutItem"]).toBeUndefined();
});
