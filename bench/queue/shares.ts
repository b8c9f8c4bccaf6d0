import { setTimeout as pause } from "node:timers/promises";
import { type Accepted, runs } from "../background.ts";
import { ms, type Row } from "../figures.ts";
import { expectStatus, startTarget, type Target } from "../target.ts";

const SLOTS = { WORKER_CONCURRENCY: "2", WORKER_BATCH_SIZE: "10" };
const SHORT = 10;
const LONG = 100;
const LONG_MS = 20_000;

type Client = Pick<Target, "send">;

/**
 * What ten short runs of one user take on twenty slots: alone, beside a hundred long ones of another user, and the same
 * without shares.
 */
export async function measureShares(): Promise<Row[]> {
  const alone = await withPlatform({}, (platform) => shortRuns(platform));
  const beside = await withPlatform({}, besideLongRuns);
  const unshared = await withPlatform({ MAX_RUNNING_PER_USER: "0" }, besideLongRuns);
  const what = `${SHORT} runs of half a second`;
  return [
    { what: `${what}, alone`, figure: ms(alone) },
    { what: `${what}, beside ${LONG} long ones of another user`, figure: ms(beside), goal: "≤ 2 × alone" },
    { what: `${what}, the same without shares`, figure: ms(unshared) },
  ];
}

async function withPlatform(
  env: Readonly<Record<string, string>>,
  work: (platform: Target) => Promise<number>,
): Promise<number> {
  const platform = await startTarget({ ...SLOTS, ...env, MAX_QUEUED_PER_USER: "0" });
  try {
    // The first run of a function loads it.
    await shortRuns(platform);
    return await work(platform);
  } finally {
    await platform.stop();
  }
}

async function besideLongRuns(platform: Target): Promise<number> {
  await submitAll({ send: await platform.as("otto") }, LONG, `[[sleep:${LONG_MS}]]`);
  // Whoever comes now finds as many of them under way as there may be.
  await pause(1_500);
  return shortRuns(platform);
}

async function shortRuns(platform: Target): Promise<number> {
  const berta = { send: await platform.as("berta") };
  const startedAt = performance.now();
  const accepted = await submitAll(berta, SHORT, "[[sleep:500]]");
  await Promise.all(accepted.map((run) => untilEnded(platform, run)));
  return performance.now() - startedAt;
}

async function submitAll(to: Client, count: number, message: string): Promise<Accepted[]> {
  const form = { message, background: "true", stream: "false" };
  const submit = async (): Promise<Accepted> =>
    JSON.parse((await expectStatus(to, 202, "POST", runs, form)).body);
  return Promise.all(Array.from({ length: count }, submit));
}

async function untilEnded(platform: Target, { run_id, session_id }: Accepted): Promise<void> {
  for (;;) {
    const path = `${runs}/${run_id}?session_id=${session_id}`;
    const { body } = await expectStatus(platform, 200, "GET", path);
    if (JSON.parse(body).status === "COMPLETED") return;
    await pause(25);
  }
}
