import { afterAll, expect, test } from "vitest";
import { updateItem, write } from "../../../shared/data/index.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { sessionKey } from "../../../shared/stores/sessions/session-item.ts";
import { dbOfFolder } from "../../support/db-of-folder.ts";
import { everythingStored } from "../../support/everything-stored.ts";
import { type KillablePlatform, killablePlatform } from "../../support/killable-platform.ts";
import { readTables } from "../../support/stored.ts";

const TIMEOUT_MS = 300_000;
/** Of each dataset: an erasure that is long enough to be killed within. */
const VERSIONS = 25;
const SECRET = "the violet parcel";
const SESSION = "hers";

let killable: KillablePlatform | undefined;
afterAll(() => killable?.end());

const runs = async ({ admin }: KillablePlatform, ids: readonly { run_id: string }[]) => {
  const form = new FormData();
  form.append("name", "from runs");
  const { id } = (await admin.post("/eval-datasets", { form })).json;
  const body = { runs: ids.map(({ run_id }) => ({ run_id, session_id: SESSION })), redact: false };
  expect((await admin.post(`/eval-datasets/${id}/cases`, { json: body })).status).toBe(201);
  for (let version = 2; version < VERSIONS; version++) {
    const change = { base_version: version, set: [{ input: `another ${version}` }] };
    expect((await admin.call("PATCH", `/eval-datasets/${id}/cases`, { json: change })).status).toBe(200);
  }
  return String(id);
};

/** Waits until the first version of a dataset that has the case has it no more. */
const untilErasing = ({ admin }: KillablePlatform, id: string) =>
  expect
    .poll(async () => (await admin.get(`/eval-datasets/${id}/cases?version=2`)).json.data[0], {
      timeout: TIMEOUT_MS,
      interval: 5,
    })
    .toMatchObject({ erased: true });

/** Works on the data of a platform that does not run. */
async function inFolder<T>({ dataDir }: KillablePlatform, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, stop } = await dbOfFolder(dataDir);
  try {
    return await work(db);
  } finally {
    await stop();
  }
}

/** Where the text is in what a killed platform has left. */
const leftBy = (platform: KillablePlatform): Promise<string[]> =>
  inFolder(platform, async (db) => {
    const places = await everythingStored({ read: () => readTables(db) }, platform.dataDir);
    return places.filter(({ text }) => text.includes(SECRET)).map(({ where }) => where);
  });

/** A quarter of an hour passes for the removal that a platform was at: until then the dead process may be alive. */
const letTimePass = (platform: KillablePlatform): Promise<unknown> =>
  inFolder(platform, (db) => {
    const past = Math.floor(Date.now() / 1000) - 1_000;
    return write(
      db,
      updateItem("sessions", sessionKey(SESSION), { set: { deleted_at: past, busy_until: past } }),
    );
  });

test(
  "an erasure of cases that is killed twice, in the versions of two datasets, leaves no word of them",
  async () => {
    const platform = await killablePlatform({});
    killable = platform;
    const { admin, maria } = platform;
    await platform.start();
    const { run_id } = (await maria.run(SECRET, { session_id: SESSION })).json;
    const made = [await runs(platform, [{ run_id }]), await runs(platform, [{ run_id }])];
    // In the order in which they are erased.
    const [first = "", second = ""] = made.toSorted();
    const evaluation = { eval_type: "reliability", agent_id: "assistant", expected_tool_calls: [] };
    const planned = { ...evaluation, dataset_id: second, dataset_version: 2 };
    const judged = (await admin.post("/eval-runs", { json: planned })).json;
    expect(judged).toMatchObject({ status: "completed", cases: 1 });

    expect((await admin.call("DELETE", `/sessions/${SESSION}`)).status).toBe(204);
    for (const dataset of [first, second]) {
      await untilErasing(platform, dataset);
      await platform.kill();
      const left = await leftBy(platform);
      // It was killed within: some of it is there still.
      expect(left.length, `killed too late in ${dataset}`).toBeGreaterThan(0);
      await letTimePass(platform);
      await platform.start();
    }
    const ids = [first, second];
    const versions = ids.flatMap((id) =>
      Array.from({ length: VERSIONS - 1 }, (_, at) => [id, at + 2] as const),
    );
    await expect
      .poll(
        async () => {
          const cases = versions.map(async ([id, version]) => {
            const { json } = await admin.get(`/eval-datasets/${id}/cases?version=${version}`);
            return json.data[0].erased;
          });
          return (await Promise.all(cases)).every((erased) => erased === true);
        },
        { timeout: TIMEOUT_MS, interval: 200 },
      )
      .toBe(true);
    await expect
      .poll(async () => (await admin.get(`/eval-runs/${judged.id}/cases`)).json.data[0].input, {
        interval: 100,
      })
      .toBe("");
    // The session of the evaluation's trial goes too.
    await expect
      .poll(async () => (await admin.get("/sessions?limit=100")).json.data.length, { timeout: TIMEOUT_MS })
      .toBe(0);
    await platform.kill();
    expect(await leftBy(platform)).toEqual([]);
  },
  TIMEOUT_MS,
);
