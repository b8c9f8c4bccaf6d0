import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { write } from "../../shared/data/write.ts";
import { type JobMove, jobMoves } from "../../shared/domain/jobs/job-transitions.ts";
import { type JobStatus, jobStatuses } from "../../shared/schemas/queue/queue-job.ts";
import { getJob, jobItem, type StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { jobUpdate, moveJob } from "../../shared/stores/jobs/move-job.ts";
import { aJob, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** Written out by hand: from which states each move may be made by a caller who meets the lock's condition. */
const mayMove: Record<JobMove, JobStatus[]> = {
  claim: ["queued"],
  // Only of a job that was postponed; see below.
  resume: [],
  postpone: ["running"],
  heartbeat: ["running"],
  handOff: ["running"],
  takeOver: ["running"],
  complete: ["running"],
  pause: ["running"],
  stop: ["running"],
  retry: ["running"],
  fail: ["running"],
  release: ["running"],
  abandon: ["running"],
  reconcileCompleted: ["running"],
  reconcileCancelled: ["running"],
  reconcilePaused: ["running"],
  cancel: ["queued", "paused"],
  failDeadLetter: ["queued"],
  continue: ["paused"],
  requeue: ["failed", "cancelled"],
};

const WORKER = "worker-a";
const fence = { now: T0 + 100, worker: WORKER, attempt: 1, staleBefore: T0 + 40, successor: "worker-b" };

function jobIn(status: JobStatus): StoredJob {
  if (status === "running") return aJob({ status, attempt: 1, locked_by: WORKER, locked_at: T0 });
  if (status === "failed") return aJob({ status, attempt: 1, error: "boom", completed_at: T0 });
  if (status === "completed" || status === "cancelled") return aJob({ status, completed_at: T0 });
  return aJob({ status });
}

async function stored(job: StoredJob): Promise<StoredJob> {
  await stores.db.client.send(
    new PutCommand({ TableName: stores.db.tables.jobs, Item: jobItem(stores.db, job) }),
  );
  return job;
}

describe.each(jobMoves)("the guard of %s", (move) => {
  test.each(jobStatuses)("lets a job that is %s move only as the table says", async (status) => {
    const job = await stored(jobIn(status));
    const result = await write(stores.db, jobUpdate(stores.db, job.id, move, fence));
    expect(result.written).toBe(mayMove[move].includes(status));
  });
});

describe("a claim", () => {
  test("counts the attempt and takes the lock", async () => {
    const job = await stored(aJob());
    const result = await moveJob(stores.db, job.id, "claim", { now: T0 + 5, worker: WORKER });
    expect(result).toMatchObject({
      moved: true,
      job: { status: "running", attempt: 1, locked_by: WORKER, locked_at: T0 + 5, updated_at: T0 + 5 },
    });
  });

  test("is refused before the job is due, and says when that will be", async () => {
    const job = await stored(aJob({ available_at: T0 + 30 }));
    const result = await moveJob(stores.db, job.id, "claim", { now: T0 + 29, worker: WORKER });
    expect(result).toMatchObject({ moved: false, seen: { status: "queued", available_at: T0 + 30 } });
  });

  test("is refused while the job waits for a run, until its worker has seen that it ended", async () => {
    const job = await stored(aJob({ waits_for: ["run-1"] }));
    const fence = { now: T0, worker: WORKER };
    const refused = await moveJob(stores.db, job.id, "claim", fence);
    expect(refused).toMatchObject({ moved: false, seen: { status: "queued", waits_for: ["run-1"] } });
    const inTurn = { ...fence, turnHasCome: true } as const;
    const claimed = await moveJob(stores.db, job.id, "claim", inTurn, { waits_for: undefined });
    expect(claimed).toMatchObject({ moved: true, job: { status: "running", attempt: 1 } });
    expect(claimed.moved && claimed.job.waits_for).toBeUndefined();
  });

  test("is won by exactly one of many workers", async () => {
    const job = await stored(aJob());
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        moveJob(stores.db, job.id, "claim", { now: T0, worker: `worker-${i}` }),
      ),
    );
    expect(claims.filter(({ moved }) => moved)).toHaveLength(1);
    expect(await getJob(stores.db, job.id, T0)).toMatchObject({ attempt: 1 });
  });

  test("that is repeated because its answer was lost still belongs to its worker", async () => {
    const job = await stored(aJob());
    await moveJob(stores.db, job.id, "claim", { now: T0, worker: WORKER });
    const again = await moveJob(stores.db, job.id, "claim", { now: T0, worker: WORKER });
    expect(again).toMatchObject({ moved: true, job: { attempt: 1 } });
  });

  test("leaves a postponed job to be resumed, in the attempt that it is in", async () => {
    const job = await stored(aJob({ attempt: 2, hops: 1, postponed: true }));
    const fence = { now: T0, worker: WORKER };
    expect(await moveJob(stores.db, job.id, "claim", fence)).toMatchObject({ moved: false });
    const resumed = await moveJob(stores.db, job.id, "resume", fence);
    expect(resumed).toMatchObject({ moved: true, job: { status: "running", attempt: 2, hops: 1 } });
    expect(resumed.moved && resumed.job.postponed).toBeUndefined();
  });

  test("of an unknown job sees nothing", async () => {
    const result = await moveJob(stores.db, "no-such-job", "claim", { now: T0, worker: WORKER });
    expect(result).toEqual({ moved: false, seen: undefined });
  });
});

describe("the fence", () => {
  const refused = [
    ["another worker", { worker: "worker-b" }],
    ["an earlier attempt of the same worker", { attempt: 0 }],
  ] as const;

  test.each(refused)("refuses a heartbeat of %s", async (_who, other) => {
    const job = await stored(jobIn("running"));
    const result = await moveJob(stores.db, job.id, "heartbeat", { ...fence, ...other });
    expect(result).toMatchObject({ moved: false, seen: { locked_by: WORKER, locked_at: T0 } });
  });

  test("refuses the sweeper while the lock is fresh", async () => {
    const job = await stored(jobIn("running"));
    const release = jobUpdate(stores.db, job.id, "release", { ...fence, staleBefore: T0 - 1 });
    expect((await write(stores.db, release)).written).toBe(false);
  });
});
