import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDynamo } from "../../local/dynamodb/dynamo-engine.ts";
import { accessKeys } from "../../local/iam/access-keys.ts";
import { type Platform, startPlatform } from "../../local/platform.ts";
import type { FunctionModel } from "../../local/template/functions.ts";
import { testRegistry } from "../../test/support/test-registry.ts";
import { callUsage } from "./call-usage.ts";
import { startCapacityProxy } from "./capacity-proxy.ts";
import { functionLogReader } from "./function-log-reader.ts";
import { type FunctionUsage, functionUsage } from "./function-usage.ts";
import type { Invocation } from "./on-lambda.ts";
import { untilQuiet } from "./until-quiet.ts";
import { nothing, sumOf, type Usage } from "./usage.ts";

export type MeteredPlatform = {
  readonly platform: Platform;
  /** Usage of each function since the last call, by label. */
  readonly take: () => Promise<ReadonlyMap<string, FunctionUsage>>;
  /** Does some work, waits until the platform is idle again, and returns the invocations that the work caused. */
  readonly during: (work: () => Promise<void>) => Promise<readonly Invocation[]>;
  readonly stop: () => Promise<void>;
};

/** Starts the platform over a database that returns consumed capacity, indexes included. */
export async function startMeteredPlatform(
  env: Readonly<Record<string, string>> = {},
): Promise<MeteredPlatform> {
  await using started = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), "agent-platform-cost-"));
  started.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const counter = usageCounter();
  let ownerOf: (accessKey: string) => FunctionModel | undefined = () => undefined;
  await startMeteredDatabase(started, (accessKey, units) => counter.add(ownerOf(accessKey), units));
  let invocations: Invocation[] = [];
  const platform = await startPlatform({
    registry: testRegistry,
    dataDir,
    port: 0,
    // What one invocation computed is known only where nothing else computes in its thread.
    perThread: 1,
    // Production is priced, and there runs are not traced unless asked for.
    environment: { MAX_QUEUE_DEPTH: "0", TRACING: "off", ...env },
    invoked: (fn, spent) => {
      counter.add(fn, { invocations: 1 });
      invocations.push({ fn, spent });
    },
  });
  started.defer(platform.stop);
  ownerOf = accessKeys(platform.model.functions).ownerOf;

  const callsSince = callUsage(platform);
  const linesSince = functionLogReader(join(dataDir, "functions.log"));
  const running = started.move();
  return {
    platform,
    during: async (work) => {
      invocations = [];
      await work();
      await untilQuiet(platform);
      return invocations;
    },
    take: async () => functionUsage(platform.model, counter.take(), callsSince(), await linesSince()),
    stop: () => running.disposeAsync(),
  };
}

async function startMeteredDatabase(
  started: AsyncDisposableStack,
  onUse: (accessKey: string, units: Partial<Usage>) => void,
): Promise<void> {
  // Only this engine includes the capacity of indexes.
  const engine = await startDynamo({ engine: "dynamodb-local" });
  started.defer(engine.stop);
  const proxy = await startCapacityProxy(engine.endpoint, (accessKey, { readUnits, writeUnits }) =>
    onUse(accessKey, { readUnits, writeUnits }),
  );
  started.defer(proxy.stop);
  process.env.DYNAMODB_ENDPOINT = proxy.address;
  started.defer(() => {
    delete process.env.DYNAMODB_ENDPOINT;
  });
}

/** Sums up usage by the label of a function. */
function usageCounter() {
  let counted = new Map<string, Usage>();
  return {
    add: (fn: FunctionModel | undefined, more: Partial<Usage>): void => {
      if (fn) counted.set(fn.label, sumOf(counted.get(fn.label) ?? nothing, more));
    },
    take: (): ReadonlyMap<string, Usage> => {
      const result = counted;
      counted = new Map();
      return result;
    },
  };
}
