import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTables } from "../../../local/dynamodb/create-tables.ts";
import { startDynamo } from "../../../local/dynamodb/dynamo-engine.ts";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import { compareRecords } from "../../../scripts/compare/differences.ts";
import { recordDocuments } from "../../../scripts/compare/record-documents.ts";
import { recordScenario } from "../../../scripts/compare/record-platform.ts";
import { recordTemplates } from "../../../scripts/compare/record-templates.ts";
import type { Scenario } from "../../../scripts/compare/stage.ts";
import { openStoredItems, type StoredItems } from "../../../scripts/compare/stored-items.ts";
import { writeRecord } from "../../../scripts/compare/write-record.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";

/** One part of what a revision shows, which another revision may show differently. */
const surface = { wire: "COMPLETED", item: "completed", template: "512", document: "a setting" };
type Surface = typeof surface;

const TABLE = "Jobs";
const CODE = "0123456789abcdef0123456789abcdef";
const S = "S" as const;

let folder: string;
let made = 0;
const closing = new AsyncDisposableStack();
let documents: DynamoDBDocumentClient;
let items: StoredItems;

beforeAll(async () => {
  folder = temporaryFolder();
  const engine = await startDynamo();
  closing.defer(engine.stop);
  const key = [
    { AttributeName: "pk", KeyType: "HASH" as const },
    { AttributeName: "sk", KeyType: "RANGE" as const },
  ];
  const AttributeDefinitions = key.map(({ AttributeName }) => ({ AttributeName, AttributeType: S }));
  await createTables(engine.endpoint, [{ name: TABLE, KeySchema: key, AttributeDefinitions }]);
  const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: engine.endpoint, region: "us-east-1", credentials });
  closing.defer(() => client.destroy());
  documents = DynamoDBDocumentClient.from(client);
  items = openStoredItems(engine.endpoint);
  closing.defer(items.close);
});
afterAll(() => closing.disposeAsync());

const put = (item: object) => documents.send(new PutCommand({ TableName: TABLE, Item: item }));

/** A platform with one route. Whatever may differ between two starts of one revision differs with each request. */
const platform =
  ({ wire, item }: Surface, user: string): RequestListener =>
  (_, response) => {
    const [run_id, now] = [randomUUID(), Math.floor(Date.now() / 1000)];
    const job = { pk: `job#${run_id}`, sk: "job", user_id: user, code_version: CODE, status: item };
    const other = { pk: `job#${randomUUID()}`, sk: "job", user_id: "compare-other", code_version: CODE };
    const slot = { pk: `user#${user}`, sk: `foreground#00000${randomInt(10)}`, run_id, expires_at: now - 60 };
    const answer = async () => {
      for (const one of [{ ...job, created_at: now }, other, slot]) await put(one);
      // Requests are counted where there are many of them.
      if (wire === surface.wire) await put({ pk: `requests#${user}`, sk: "window", count: randomInt(100) });
      response.setHeader("content-type", "application/json");
      const signature = randomBytes(32).toString("hex");
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      const url = `http://127.0.0.1:4711/a.png?X-Amz-Date=20261124T1200${now % 60}Z&X-Amz-Signature=${signature}`;
      response.end(
        JSON.stringify({ run_id, code_version: CODE, created_at: now, secret, url, status: wire }),
      );
    };
    void answer().catch((error: Error) => response.destroy(error));
  };

/** The sources of a side: an app that is synthesized, and a program that generates documents. */
function sources({ template, document }: Surface): string {
  const side = join(folder, `side-${++made}`);
  mkdirSync(join(side, "docs"), { recursive: true });
  mkdirSync(join(side, "client"));
  const files = {
    "cdk.json": JSON.stringify({ app: "node app.mjs" }),
    "app.mjs": `import { writeFileSync } from "node:fs";
      const properties = { MemorySize: ${template}, Code: { S3Key: "${randomBytes(32).toString("hex")}.zip" } };
      const step = { Type: "AWS::CloudFormation::CustomResource", Properties: { Content: "${randomBytes(16).toString("hex")}" } };
      const text = JSON.stringify({ Resources: { Worker: { Type: "AWS::Lambda::Function", Properties: properties }, Step: step } });
      writeFileSync(process.env.CDK_OUTDIR + "/Service.template.json", text);`,
    "package.json": JSON.stringify({ scripts: { docs: "node docs.mjs", client: "node docs.mjs" } }),
    "docs.mjs": `import { writeFileSync } from "node:fs";
      for (const name of ["docs/settings.md", "docs/job-states.md", "docs/stored-shapes.md", "client/operations.ts"])
        writeFileSync(name, name === "docs/settings.md" ? "${document}" : "the same");`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(side, name), text);
  return side;
}

/** Records a side as the comparison does. @returns the folder of the records */
async function recordSide(scenario: string, changed: Partial<Surface> = {}): Promise<string> {
  const shown = { ...surface, ...changed };
  const side = sources(shown);
  const output = join(folder, `records-${made}`);
  const server = await serveOnLoopback(createServer(platform(shown, `compare-${scenario}`)));
  const tokens = { token: async () => "a token" };
  const play: Scenario = async (stage) => {
    await stage.send("POST", "/agents/assistant/runs");
    await stage.send("POST", "/agents/assistant/runs");
  };
  try {
    const own = `compare-${scenario}`;
    const recorded = await recordScenario({ url: server.address, tokens }, scenario, play, items.read);
    writeRecord(output, "runs", "asking", JSON.parse(JSON.stringify(recorded).replaceAll(own, "<user>")));
  } finally {
    await server.stop();
  }
  await recordTemplates(side, output, { dev: {} });
  await recordDocuments(side, output);
  return output;
}

const differing = (before: string, after: string): string[] =>
  compareRecords(before, after).flatMap((group) => group.differing);

describe("two recordings", () => {
  let before: string;
  beforeAll(async () => {
    before = await recordSide("before");
  });

  test("of one revision are equal, whatever ids, times, secrets, signatures and slots they have", async () => {
    expect(differing(before, await recordSide("again"))).toEqual([]);
  });

  test.each([
    ["an answer", { wire: "ERROR" }, "runs/asking.json"],
    ["a stored item", { item: "failed" }, "runs/asking.json"],
    ["a template", { template: "1024" }, "templates/dev/Service.template.json"],
    ["a document", { document: "another setting" }, "documents/settings.md"],
  ] as const)("show a difference in %s, and no other", async (_, planted, file) => {
    expect(differing(before, await recordSide(`with${Object.keys(planted)[0]}`, planted))).toEqual([file]);
  });
});

test("a record that has a part of another scenario is refused", async () => {
  const server = createServer((_, response) => response.end("of compare-other"));
  const { address, stop } = await serveOnLoopback(server);
  const play: Scenario = async (stage) => {
    await stage.send("GET", "/sessions");
  };
  const tokens = { token: async () => "a token" };
  const recorded = recordScenario({ url: address, tokens }, "mine", play, async () => []);
  await expect(recorded).rejects.toThrow("compare-other");
  await stop();
});
