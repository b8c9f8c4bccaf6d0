import type { Platform } from "../../local/platform.ts";
import type { CloudModel } from "../../local/template/cloud-model.ts";
import { type Client, clientOf } from "../../test/support/client.ts";
import { type Receiver, startReceiver } from "../../test/support/receiver.ts";
import { deliverSlot } from "../../test/support/schedule-slots.ts";
import type { FunctionUsage } from "./function-usage.ts";
import { type MeteredPlatform, startMeteredPlatform } from "./metered-platform.ts";
import { ACCESS_LOG_BYTES, type Time, timeOf, undisturbed } from "./on-lambda.ts";
import { sumOf, times, type Usage } from "./usage.ts";

/** Average usage and time of one operation of a kind. */
export type Measured = {
  readonly kind: string;
  readonly each: Usage;
  readonly time: Time;
  readonly ownMetrics: readonly string[];
};

type Workload = {
  readonly kind: string;
  /** Requests that a client sends for one operation. */
  readonly requests: number;
  /** Sent to the HTTP API directly, not through CloudFront. */
  readonly direct?: true;
  /** Usage of one operation outside functions. */
  readonly extraUsage?: Partial<Usage>;
  readonly once: (i: number) => Promise<void>;
};

const WARM = 5;
const EACH = 30;
const FIRST_SLOT_MS = Date.UTC(2030, 0, 1);

/** Measures every kind of operation, one after the other, each alone on the platform. */
export async function measureWorkloads(progress: (step: string) => void): Promise<Measured[]> {
  progress("starting the platform over a database that reports its units");
  const receiver = await startReceiver();
  const metered = await startMeteredPlatform({ FETCH_ALLOWED_HOSTS: receiver.host });
  try {
    const measured: Measured[] = [];
    for (const workload of workloadsOn(metered.platform, receiver)) {
      progress(`${EACH} of: ${workload.kind}`);
      measured.push(await measure(metered, workload));
    }
    return measured;
  } finally {
    await metered.stop();
    await receiver.stop();
  }
}

/** Those of an ordinary user: an admin is not counted against the limits of one user, and so costs less. */
const userScopes = ["agents:run", "agents:read", "sessions:read", "schedules:read", "schedules:write"];

function workloadsOn(platform: Platform, receiver: Receiver): Workload[] {
  const token = platform.token({ sub: "cost", scopes: userScopes });
  const client = clientOf(platform.url, token);
  const direct = clientOf(platform.apiUrl, token);
  const submitted: { run_id: string; session_id: string }[] = [];
  const waiting = (to: Client) => async () => expect(200, await to.run("hi"));
  return [
    { kind: "waiting run", requests: 1, once: waiting(client) },
    { kind: "waiting run, HTTP API", requests: 1, direct: true, once: waiting(direct) },
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
      kind: "background run, callback",
      requests: 1,
      once: async () => {
        const { run_id } = await client.submit("hi", { callback_url: receiver.url });
        await receiver.until(({ body }) => body.data.run_id === run_id);
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

/** The scheduler sends a message for each slot, which the account pays for. */
function scheduledRun(platform: Platform, client: Client): Workload {
  let id = "";
  const createSchedule = async () => {
    const json = {
      name: "cost",
      // Far in the future, so that no slot fires by itself.
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
    extraUsage: { schedulerInvocations: 1, sqsRequests: 1 },
    once: async (i) => {
      id ||= await createSchedule();
      await deliverSlot(platform, id, FIRST_SLOT_MS + i * 60_000);
    },
  };
}

function expect(status: number, answer: { readonly status: number; readonly text: string }): void {
  if (answer.status !== status) throw new Error(`${answer.status}: ${answer.text.slice(0, 200)}`);
}

async function measure(metered: MeteredPlatform, workload: Workload): Promise<Measured> {
  const { direct, requests, extraUsage = {}, kind, once } = workload;
  const { model } = metered.platform;
  // Timers fire in the meantime; their usage is on the sheet of idle hours.
  const timed = new Set(model.schedules.map(({ function: { label } }) => label));
  const repeat = async (from: number, count: number): Promise<Time[]> => {
    const all: Time[] = [];
    for (let i = from; i < from + count; i += 1) {
      // The run's queue messages are processed before the next run begins, as on a platform with little load.
      const invocations = await metered.during(() => once(i));
      all.push(timeOf(invocations.filter(({ fn }) => !timed.has(fn.label))));
    }
    return all;
  };
  await repeat(0, WARM);
  await metered.take();
  const time = undisturbed(await repeat(WARM, EACH));
  const used = new Map([...(await metered.take())].filter(([label]) => !timed.has(label)));
  const apiRequests = requests - streamedOf(model, used) / EACH;
  const edge = {
    edgeRequests: direct ? 0 : requests,
    apiRequests,
    logBytes: apiRequests * ACCESS_LOG_BYTES,
    gigabyteSeconds: time.gigabyteSeconds,
  };
  const parts = [...used.values()];
  return {
    kind,
    each: sumOf(times(sumOf(...parts.map(({ usage }) => usage)), 1 / EACH), edge, extraUsage),
    time,
    ownMetrics: [...new Set(parts.flatMap((one) => one.ownMetrics))],
  };
}

/** Requests that streaming functions handled; the others went through the HTTP API. */
function streamedOf({ edge }: CloudModel, used: ReadonlyMap<string, FunctionUsage>): number {
  const streams = new Set(edge.behaviours.flatMap(({ target }) => (target === "api" ? [] : [target.label])));
  return [...used].reduce((sum, [label, { usage }]) => sum + (streams.has(label) ? usage.invocations : 0), 0);
}
