import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDynamo } from "../../local/dynamo-engine.ts";
import { accessKeys } from "../../local/iam/access-keys.ts";
import { type Platform, startPlatform } from "../../local/platform.ts";
import type { FunctionModel } from "../../local/template/functions.ts";
import { callUsage } from "./call-usage.ts";
import { startCapacityProxy } from "./capacity-proxy.ts";
import { functionLogReader } from "./function-log-reader.ts";
import { billedMs, EVENT_BYTES, gigabyteSecondsOf, LAMBDA_LOG_BYTES } from "./on-lambda.ts";
import { untilQuiet } from "./until-quiet.ts";
import { sumOf, type Usage } from "./usage.ts";

/** What one function used, and how long its invocations took here. */
export type FunctionUsage = {
  readonly usage: Usage;
  readonly invocations: number;
  readonly measuredMs: number;
  /** Metrics of its own that CloudWatch would make of its log. */
  readonly ownMetrics: readonly string[];
};

export type MeteredPlatform = {
  readonly platform: Platform;
  /** What each function used since the last time it was asked, by label; once nothing is under way any more. */
  readonly take: () => Promise<ReadonlyMap<string, FunctionUsage>>;
  /** Waits until nothing is under way any more. */
  readonly quiet: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Counted = Pick<Usage, "invocations" | "gigabyteSeconds" | "writeUnits" | "readUnits"> & {
  readonly measuredMs: number;
};

const fresh: Counted = { invocations: 0, gigabyteSeconds: 0, writeUnits: 0, readUnits: 0, measuredMs: 0 };

/** Starts the platform over a database that tells the capacity it used, indexes included. */
export async function startMeteredPlatform(
  env: Readonly<Record<string, string>> = {},
): Promise<MeteredPlatform> {
  await using started = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-cost-"));
  started.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  // Only this engine tells the capacity that indexes take.
  const engine = await startDynamo({ engine: "dynamodb-local" });
  started.defer(engine.stop);

  let counted = new Map<string, Counted>();
  const add = ({ label }: FunctionModel, more: Partial<Counted>): void => {
    const before = counted.get(label) ?? fresh;
    const entries = Object.entries(before).map(([unit, n]) => [unit, n + (more[unit as keyof Counted] ?? 0)]);
    counted.set(label, { ...before, ...Object.fromEntries(entries) });
  };
  let ownerOf: (accessKey: string) => FunctionModel | undefined = () => undefined;
  const proxy = await startCapacityProxy(engine.endpoint, (accessKey, use) => {
    const owner = ownerOf(accessKey);
    if (owner) add(owner, use);
  });
  started.defer(proxy.stop);

  process.env.DYNAMODB_ENDPOINT = proxy.address;
  const platform = await startPlatform({
    dataDir,
    port: 0,
    environment: { MAX_QUEUE_DEPTH: "0", ...env },
    invoked: (fn, ms) =>
      add(fn, {
        invocations: 1,
        measuredMs: ms,
        gigabyteSeconds: gigabyteSecondsOf(billedMs(ms, fn.memoryMb), fn.memoryMb),
      }),
  });
  started.defer(platform.stop);
  ownerOf = accessKeys(platform.model.functions).ownerOf;

  const fed = new Set(platform.model.eventSources.map(({ function: { label } }) => label));
  const callsSince = callUsage(platform);
  const linesSince = functionLogReader(join(dataDir, "functions.log"));
  const running = started.move();
  return {
    platform,
    quiet: () => untilQuiet(platform),
    take: async () => {
      await untilQuiet(platform);
      const [calls, lines] = [callsSince(), await linesSince()];
      const taken = counted;
      counted = new Map();
      const labels = new Set([...taken.keys(), ...calls.keys()]);
      return new Map(
        [...labels].map((label) => {
          const { measuredMs, ...used } = taken.get(label) ?? fresh;
          const { bytes = 0, count = 0, ownMetrics = [] } = lines.get(label) ?? {};
          const fetched = fed.has(label) ? { sqsRequests: 2 * used.invocations } : {};
          const logBytes = bytes + count * EVENT_BYTES + used.invocations * LAMBDA_LOG_BYTES;
          const usage = sumOf(used, calls.get(label) ?? {}, fetched, { logBytes });
          return [label, { usage, invocations: used.invocations, measuredMs, ownMetrics }];
        }),
      );
    },
    stop: () => running.disposeAsync(),
  };
}
