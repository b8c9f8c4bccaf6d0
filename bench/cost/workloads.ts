import type { Platform } from "../../local/platform.ts";
import { type Client, clientOf } from "../../test/support/client.ts";
import { deliverSlot } from "../../test/support/schedule-slots.ts";
import { type FunctionUsage, type MeteredPlatform, startMeteredPlatform } from "./metered-platform.ts";
import { ACCESS_LOG_BYTES } from "./on-lambda.ts";
import { sumOf, times, type Usage } from "./usage.ts";

/** What one of a kind takes on average. */
export type Measured = {
  readonly kind: string;
  readonly each: Usage;
  /** Milliseconds of functions as they were here. */
  readonly measuredMs: number;
  readonly ownMetrics: readonly string[];
};

type Workload = {
  readonly kind: string;
  /** Requests that a client sends for one of them. */
  readonly requests: number;
  /** Straight to the HTTP API, past the distribution. */
  readonly direct?: true;
  /** What AWS does for one of them that no function does. */
  readonly besides?: Partial<Usage>;
  readonly once: (i: number) => Promise<void>;
};

const WARM = 5;
const EACH = 30;
const FIRST_SLOT_MS = Date.UTC(2030, 0, 1);

/** Plays every kind of work, one after the other, each alone on the platform. */
export async function measureWorkloads(progress: (step: string) => void): Promise<Measured[]> {
  progress("starting the platform over a database that tells its units");
  const metered = await startMeteredPlatform();
  try {
    const measured: Measured[] = [];
    for (const workload of workloadsOn(metered.platform)) {
      progress(`${EACH} of: ${workload.kind}`);
      measured.push(await measure(metered, workload));
    }
    return measured;
  } finally {
    await metered.stop();
  }
}

function workloadsOn(platform: Platform): Workload[] {
  const token = platform.token({ sub: "cost", scopes: ["platform:admin"] });
  const client = clientOf(platform.url, token);
  const direct = clientOf(platform.apiUrl, token);
  const submitted: { run_id: string; session_id: string }[] = [];
  const waiting = (to: Client) => async () => expect(200, await to.run("hi"));
  return [
    { kind: "waiting run", requests: 1, once: waiting(client) },
    { kind: "waiting run, by ApiUrl", requests: 1, direct: true, once: waiting(direct) },
    {
      kind: "streamed run",
      requests: 1,
      once: async () => expect(200, await client.run("hi", { stream: "true" })),
    },
    {
      kind: "background run",
      requests: 1,
      once: async () => {
        const answer = await client.run("hi", { background: "true" });
        expect(202, answer);
        submitted.push(answer.json);
      },
    },
    {
      kind: "look at a run",
      requests: 1,
      once: async (i) =>
        expect(200, await client.poll(submitted[i] ?? { run_id: "none", session_id: "none" })),
    },
    scheduledRun(platform, client),
    {
      kind: "page of sessions",
      requests: 1,
      once: async () => expect(200, await client.get("/sessions?limit=20")),
    },
  ];
}

/** A slot comes from the scheduler, which puts a message into a queue at the account's expense. */
function scheduledRun(platform: Platform, client: Client): Workload {
  let id = "";
  const make = async () => {
    const json = {
      name: "cost",
      // Far away, so that no slot comes by itself.
      cron_expr: "0 0 29 2 *",
      endpoint: "/agents/assistant/runs",
      payload: { message: "hi" },
      overlap: "allow",
    };
    const answer = await client.post("/schedules", { json });
    if (answer.status >= 300) throw new Error(answer.text);
    return String(answer.json.id);
  };
  return {
    kind: "scheduled run",
    requests: 0,
    besides: { schedulerInvocations: 1, sqsRequests: 1 },
    once: async (i) => {
      id ||= await make();
      await deliverSlot(platform, id, FIRST_SLOT_MS + i * 60_000);
    },
  };
}

function expect(status: number, answer: { readonly status: number; readonly text: string }): void {
  if (answer.status !== status) throw new Error(`${answer.status}: ${answer.text.slice(0, 200)}`);
}

async function measure(metered: MeteredPlatform, workload: Workload): Promise<Measured> {
  const play = async (from: number, count: number): Promise<ReadonlyMap<string, FunctionUsage>> => {
    for (let i = from; i < from + count; i += 1) {
      await workload.once(i);
      // What a run leaves to the queue ends before the next begins, as on a platform with little to do.
      await metered.quiet();
    }
    return metered.take();
  };
  await play(0, WARM);
  const used = withoutTimers(metered.platform, await play(WARM, EACH));
  const { direct, requests, besides = {}, kind } = workload;
  const streams = new Set(
    metered.platform.model.edge.behaviours.flatMap(({ target }) => (target === "api" ? [] : [target.label])),
  );
  const streamed = [...used]
    .filter(([label]) => streams.has(label))
    .reduce((n, [, one]) => n + one.invocations, 0);
  // What no streaming function took went by the HTTP API.
  const apiRequests = requests - streamed / EACH;
  const edge = {
    edgeRequests: direct ? 0 : requests,
    apiRequests,
    logBytes: apiRequests * ACCESS_LOG_BYTES,
  };
  const parts = [...used.values()];
  return {
    kind,
    each: sumOf(times(sumOf(...parts.map(({ usage }) => usage)), 1 / EACH), edge, besides),
    measuredMs: parts.reduce((ms, one) => ms + one.measuredMs, 0) / EACH,
    ownMetrics: [...new Set(parts.flatMap((one) => one.ownMetrics))],
  };
}

/** Timers go on meanwhile; what they take is on the sheet of idle hours. */
function withoutTimers(
  { model }: Platform,
  used: ReadonlyMap<string, FunctionUsage>,
): ReadonlyMap<string, FunctionUsage> {
  const timed = new Set(model.schedules.map(({ function: { label } }) => label));
  return new Map([...used].filter(([label]) => !timed.has(label)));
}
