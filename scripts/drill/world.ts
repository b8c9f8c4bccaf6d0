import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Platform, startPlatform } from "../../local/platform.ts";
import { clientOf } from "../../test/support/client.ts";
import { completeLines } from "../../test/support/complete-lines.ts";
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
  /** Sum of a figure that functions wrote, as CloudWatch reads it from the log. */
  readonly counted: (name: string, causes?: readonly string[]) => number;
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
  return {
    client,
    platform,
    serverErrors: () => errors,
    async get(path) {
      const { status } = await client.get(path);
      if (status >= 500) errors += 1;
    },
    async crash(label) {
      const fn = platform.model.functions.find((one) => one.label === label);
      if (!fn) throw new Error(`there is no function ${label}`);
      const outcome = await platform.lambda.invoke(fn, { event: () => '"of no kind"' });
      return outcome?.ok === false ? 1 : 0;
    },
    counted: (name, causes) => sumIn(readFileSync(join(dataDir, "functions.log"), "utf8"), name, causes),
    async stop() {
      await platform.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** @source CloudWatch user guide, embedded metric format: a member for each figure and each dimension */
function sumIn(log: string, name: string, causes: readonly string[] | undefined): number {
  let sum = 0;
  for (const line of completeLines(log)) {
    const at = line.indexOf("{");
    if (at < 0 || !line.includes('"_aws"') || !line.includes(`"${name}"`)) continue;
    const written: Readonly<Record<string, unknown>> = JSON.parse(line.slice(at));
    const values = [written[name]].flat();
    if (causes !== undefined && !causes.includes(String(written.cause))) continue;
    for (const value of values) sum += typeof value === "number" ? value : 0;
  }
  return sum;
}
