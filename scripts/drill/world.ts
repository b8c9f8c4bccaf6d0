import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { type Platform, startPlatform } from "../../local/platform.ts";
import { clientOf } from "../../test/support/client.ts";
import { completeLines } from "../../test/support/complete-lines.ts";
import { leasedSubjects } from "../../test/support/simulated/leased-work.ts";
import { testRegistry } from "../../test/support/test-registry.ts";

/** A platform of this machine, and what CloudWatch would have measured of it. */
export type DrillWorld = {
  readonly client: ReturnType<typeof clientOf>;
  readonly platform: Platform;
  /** Answers of the API with 5xx since the start. */
  readonly serverErrors: () => number;
  /** Sends a request that the drill expects to fail. */
  readonly get: (path: string) => Promise<void>;
  /** Invokes a function with an event of no kind. @returns 1 where it failed, as Lambda counts */
  readonly crash: (label: string) => Promise<number>;
  /** Invokes a function. */
  readonly invoke: (label: string, event: object) => Promise<void>;
  /** Writes an evaluation that a worker had in hand and left. @returns its id */
  readonly abandonedEvaluation: () => Promise<string>;
  /** Sum of a figure that functions wrote, as CloudWatch reads it from the log. */
  readonly counted: (name: string) => number;
  readonly stop: () => Promise<void>;
};

export async function startDrillWorld(): Promise<DrillWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-drill-"));
  const platform = await startPlatform({
    registry: testRegistry,
    dataDir,
    port: 0,
    environment: { MODEL: "scripted", TRACING: "off" },
  });
  const client = clientOf(platform.url, platform.token({ sub: "drill", scopes: [platform.adminScope] }));
  let errors = 0;
  const invoked = (label: string, event: string) => {
    const fn = platform.model.functions.find((one) => one.label === label);
    if (!fn) throw new Error(`there is no function ${label}`);
    return platform.lambda.invoke(fn, { event: () => event });
  };
  return {
    client,
    platform,
    serverErrors: () => errors,
    async get(path) {
      const { status } = await client.get(path);
      if (status >= 500) errors += 1;
    },
    async crash(label) {
      const outcome = await invoked(label, '"of no kind"');
      return outcome?.ok === false ? 1 : 0;
    },
    invoke: async (label, event) => void (await invoked(label, JSON.stringify(event))),
    abandonedEvaluation: () => writeAbandoned(platform),
    counted: (name) => sumIn(readFileSync(join(dataDir, "functions.log"), "utf8"), name),
    async stop() {
      await platform.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function writeAbandoned({ dynamoEndpoint, model }: Platform): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const item = leasedSubjects(now).find(({ table }) => table === "evals")?.item;
  const TableName = model.tables.map(({ name }) => name).find((name) => /evals/i.test(name));
  const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: dynamoEndpoint, region: "us-east-1", credentials });
  try {
    const Item = { ...item, worker: "gone", lease_until: now - 1 };
    await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName, Item }));
  } finally {
    client.destroy();
  }
  return String(item?.id);
}

/** @source CloudWatch user guide, embedded metric format: a member for each figure and each dimension */
function sumIn(log: string, name: string): number {
  let sum = 0;
  for (const line of completeLines(log)) {
    const at = line.indexOf("{");
    if (at < 0 || !line.includes('"_aws"') || !line.includes(`"${name}"`)) continue;
    const written: Readonly<Record<string, unknown>> = JSON.parse(line.slice(at));
    const values = [written[name]].flat();
    for (const value of values) sum += typeof value === "number" ? value : 0;
  }
  return sum;
}
