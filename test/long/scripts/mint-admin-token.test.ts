import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTables } from "../../../local/dynamodb/create-tables.ts";
import { type DynamoEngine, startDynamo } from "../../../local/dynamodb/dynamo-engine.ts";
import { createAuthorizer } from "../../../shared/auth/authorize.ts";
import { forEachTable } from "../../../shared/settings/table-env.ts";
import { dbOver } from "../../../shared/stores/db.ts";
import { accessStoreOver } from "../../../shared/stores/service-accounts/access-store.ts";
import { objectsInMemory } from "../../support/objects-in-memory.ts";
import { runCommand } from "../../support/run-command.ts";

const run = promisify(execFile);
const table = "agent-platform-prod-data-ServiceAccountsAB12CD34-XYZ";
/** Of a stage that was removed and deployed again. */
const kept = "agent-platform-again-data-ServiceAccountsAB12CD34-OLD";
const current = "agent-platform-again-data-ServiceAccountsAB12CD34-NEW";
const audits = ["agent-platform-prod-data-AuditAB12CD34-XYZ", "agent-platform-again-data-AuditAB12CD34-XYZ"];
const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
const script = join(import.meta.dirname, "../../../scripts/mint-admin-token.ts");

let engine: DynamoEngine;
const keys = ["pk", "sk"];
const layoutOf = (name: string) => ({
  name,
  KeySchema: keys.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? "HASH" : "RANGE" })),
  AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true },
});
beforeAll(async () => {
  engine = await startDynamo();
  await createTables(engine.endpoint, [table, kept, current, ...audits].map(layoutOf));
});
afterAll(() => engine.stop());

const environment = () => ({
  PATH: process.env.PATH,
  AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});
const mint = (...args: string[]) => run(process.execPath, [script, ...args], { env: environment() });

/** What the authorizer of a deployment with this table decides on an admin's request with a token. */
async function decisionOn(token: string, table: string): Promise<unknown> {
  const client = new DynamoDBClient({ endpoint: engine.endpoint, region: "us-east-1", credentials });
  const names = forEachTable(() => table);
  const store = accessStoreOver(dbOver(client, names, objectsInMemory()));
  const authorize = createAuthorizer({
    issuers: [],
    adminScope: "platform:admin",
    now: Date.now,
    store: async () => store,
  });
  const headers = { authorization: `Bearer ${token}` };
  const decision = await authorize({ method: "GET", rawPath: "/queue/jobs", headers });
  client.destroy();
  return decision;
}

const allowed = { outcome: "allow", principal: { user_id: "sa:first-admin", admin: true } };

test("for a deployed stack it writes an admin's service account, whose token is good at once", async () => {
  const { stdout } = await mint("--stack", "agent-platform-prod");
  expect(await decisionOn(stdout.trim(), table)).toMatchObject(allowed);
  const client = new DynamoDBClient({ endpoint: engine.endpoint, region: "us-east-1", credentials });
  const { Items } = await client.send(new ScanCommand({ TableName: audits[0] }));
  expect(Items).toMatchObject([
    { operation: { S: "mintServiceAccount" }, principal_kind: { S: "platform" } },
  ]);
  client.destroy();
});

test("where an earlier deployment kept its table it asks for --table, and writes into the one that is named", async () => {
  const refused = mint("--stack", "agent-platform-again");
  await expect(refused).rejects.toThrow(kept);
  await expect(refused).rejects.toThrow(/--table.*\n.*agent-platform-again-data .*ServiceAccountsTable/);
  const { stdout } = await mint("--table", current);
  expect(await decisionOn(stdout.trim(), current)).toMatchObject(allowed);
  expect(await decisionOn(stdout.trim(), kept)).toMatchObject({ outcome: "unauthenticated" });
});

test("it says what to do when the name is taken, the stack is unknown, or a value is malformed", async () => {
  await mint("--stack", "agent-platform-prod", "--name", "twice");
  await expect(mint("--stack", "agent-platform-prod", "--name", "twice")).rejects.toThrow(
    /exists; revoke it/,
  );
  await expect(mint("--stack", "agent-platform-prod2")).rejects.toThrow(/Is the stack deployed/);
  await expect(mint("--stack", "agent-platform-prod", "--table", table)).rejects.toThrow(/not both/);
  await expect(mint("--days", "soon")).rejects.toThrow(/--days/);
});

test("a project's command line makes it too, and says what is wrong in a sentence", async () => {
  const project = mkdtempSync(join(tmpdir(), "project-"));
  writeFileSync(join(project, "agent-platform.config.mjs"), "export default { registry: './registry.mjs' };");
  writeFileSync(join(project, "registry.mjs"), "export const registry = {};");
  const token = (...args: string[]) => runCommand(["token", "--stage", ...args], project, environment());
  try {
    const { out } = await token("again", "--table", current, "--name", "desk");
    expect(await decisionOn(out.trim(), current)).toMatchObject({
      principal: { user_id: "sa:desk", admin: true },
    });
    const again = await token("again", "--table", current, "--name", "desk");
    expect(again).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^A service account named desk exists/),
    });
    expect((await token("none")).err).toContain("Is the stack deployed?");
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});

test("without a stack it prints a token of the local identity provider", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "identity-"));
  try {
    const { stdout } = await run(process.execPath, [script], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    });
    const [, payload = ""] = stdout.trim().split(".");
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      sub: "admin",
      scopes: ["platform:admin"],
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
