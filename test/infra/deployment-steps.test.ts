import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readBody } from "../../local/aws/read-body.ts";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

/** Lambda as far as versions go: it publishes one only if the function differs from the newest. */
const lambda = { code: "first", published: [] as string[], asked: [] as string[], isActive: true };
let answers: Record<string, unknown>[] = [];
const stops: (() => Promise<void>)[] = [];
let responseUrl: string;
let handler: (event: CloudFormationCustomResourceEvent) => Promise<void>;

function answerOf(method: string, path: string): unknown {
  lambda.asked.push(`${method} ${path}`);
  if (method === "POST") {
    if (lambda.published.at(-1) !== lambda.code) lambda.published.push(lambda.code);
    return { Version: String(lambda.published.length) };
  }
  return { State: lambda.isActive ? "Active" : "Failed", StateReason: "no network" };
}

beforeAll(async () => {
  const service = await serveOnLoopback(
    createServer((incoming, response) => {
      const answer = answerOf(incoming.method ?? "", incoming.url ?? "");
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    }),
  );
  const cloudFormation = await serveOnLoopback(
    createServer(async (incoming, response) => {
      answers.push(JSON.parse((await readBody(incoming)).toString()));
      response.end();
    }),
  );
  responseUrl = cloudFormation.address;
  stops.push(service.stop, cloudFormation.stop);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_LAMBDA: service.address,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "LOCAL",
    AWS_SECRET_ACCESS_KEY: "local",
    POWERTOOLS_SERVICE_NAME: "deployment",
  });
  ({ handler } = await import("../../functions/deployment/index.ts"));
});
beforeEach(() => {
  answers = [];
  lambda.asked = [];
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

const ask = (RequestType: "Create" | "Update" | "Delete", Content: string) =>
  handler({
    RequestType,
    ResponseURL: responseUrl,
    StackId: "arn:aws:cloudformation:us-east-1:000000000000:stack/agent-platform-prod/4711",
    RequestId: "r-1",
    LogicalResourceId: "WorkerPublication",
    ResourceProperties: { ServiceToken: "arn", Step: "publish", FunctionName: "worker", Content },
  } as unknown as CloudFormationCustomResourceEvent); // what the function reads of it

/** Deploys code, and says which version the alias is led to. */
async function deploy(RequestType: "Create" | "Update", code: string): Promise<unknown> {
  lambda.code = code;
  await ask(RequestType, code);
  const answer = answers.at(-1);
  expect(answer).toMatchObject({
    Status: "SUCCESS",
    PhysicalResourceId: "WorkerPublication",
    RequestId: "r-1",
  });
  return answer?.Data;
}

test("an upgrade that is rolled back can be tried again, and no version is published twice", async () => {
  expect(await deploy("Create", "first")).toEqual({ Version: "1" });
  // The upgrade, and its rollback, for which CloudFormation asks with the properties of before.
  expect(await deploy("Update", "second")).toEqual({ Version: "2" });
  expect(await deploy("Update", "first")).toEqual({ Version: "3" });
  expect(await deploy("Update", "second")).toEqual({ Version: "4" });
  // Where the rollback has not reached this resource, the version that is there already is taken.
  expect(await deploy("Update", "second")).toEqual({ Version: "4" });
});

test("removing the stack publishes nothing and deletes nothing", async () => {
  await ask("Delete", "second");
  expect(answers).toEqual([expect.objectContaining({ Status: "SUCCESS" })]);
  expect(lambda.asked).toEqual([]);
});

test("a version that cannot be invoked fails the deployment with its reason", async () => {
  lambda.isActive = false;
  await ask("Update", "second");
  expect(answers).toEqual([
    expect.objectContaining({ Status: "FAILED", Reason: expect.stringMatching(/Failed/) }),
  ]);
});

test("the settings of a deployment are recorded, with those that they replace", async () => {
  const asked: unknown[] = [];
  const table = await serveOnLoopback(
    createServer(async (incoming, response) => {
      asked.push(JSON.parse((await readBody(incoming)).toString()));
      response.writeHead(200, { "content-type": "application/x-amz-json-1.0" }).end("{}");
    }),
  );
  stops.push(table.stop);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = table.address;
  const properties = (MODEL: string) => ({
    ...{ ServiceToken: "arn", Step: "record", Table: "audit", RetentionDays: "400" },
    Settings: { MODEL, ADMIN_SCOPE: "platform:admin" },
  });
  await handler({
    RequestType: "Update",
    ResponseURL: responseUrl,
    StackId: "arn",
    RequestId: "r-2",
    LogicalResourceId: "SettingsRecord",
    ResourceProperties: properties("openai:new"),
    OldResourceProperties: properties("openai:old"),
  } as unknown as CloudFormationCustomResourceEvent); // what the function reads of it
  expect(answers).toEqual([expect.objectContaining({ Status: "SUCCESS" })]);
  expect(asked).toMatchObject([
    {
      TableName: "audit",
      Item: {
        operation: { S: "deploySettings" },
        principal_kind: { S: "platform" },
        before: { M: { MODEL: { S: "openai:old" } } },
        after: { M: { MODEL: { S: "openai:new" } } },
      },
    },
  ]);
  expect(JSON.stringify(asked)).not.toContain("ADMIN_SCOPE");
});

test("a deployment that is made has the housekeeper look at the database, a changed one does not", async () => {
  const asked: unknown[] = [];
  const queue = await serveOnLoopback(
    createServer(async (incoming, response) => {
      const request = JSON.parse((await readBody(incoming)).toString());
      asked.push(request);
      const MD5OfMessageBody = createHash("md5").update(request.MessageBody).digest("hex");
      response.writeHead(200, { "content-type": "application/x-amz-json-1.0" });
      response.end(JSON.stringify({ MessageId: "m-1", MD5OfMessageBody }));
    }),
  );
  stops.push(queue.stop);
  process.env.AWS_ENDPOINT_URL_SQS = queue.address;
  const Queue = "https://sqs.us-east-1.amazonaws.com/000000000000/migrations";
  for (const RequestType of ["Create", "Update", "Delete"])
    await handler({
      RequestType,
      ResponseURL: responseUrl,
      StackId: "arn",
      RequestId: "r-3",
      LogicalResourceId: "DatabaseVersion",
      ResourceProperties: { ServiceToken: "arn", Step: "version", Queue },
    } as unknown as CloudFormationCustomResourceEvent); // what the function reads of it
  expect(answers.map(({ Status }) => Status)).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"]);
  expect(asked).toEqual([{ QueueUrl: Queue, MessageBody: JSON.stringify({ db_id: "main" }) }]);
});
