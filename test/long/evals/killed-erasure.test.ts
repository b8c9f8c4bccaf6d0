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

let killable: KillablePlatform | undefined;
afterAll(() => killable?.end());

type Sources = readonly { readonly run_id: string; readonly session_id: string }[];

/** A dataset with a case of each run in all versions but the first. */
async function datasetOf({ admin }: KillablePlatform, runs: Sources): Promise<string> {
  const form = new FormData();
  form.append("name", "from runs");
  const { id } = (await admin.post("/eval-datasets", { form })).json;
  const added = await admin.post(`/eval-datasets/${id}/cases`, { json: { runs, redact: false } });
  expect(added.json).toMatchObject({ version: 2, added: runs.length });
  for (let version = 2; version < VERSIONS; version++) {
    const change = { base_version: version, set: [{ input: `another ${version}` }] };
    expect((await admin.call("PATCH", `/eval-datasets/${id}/cases`, { json: change })).status).toBe(200);
  }
  return id;
}

const caseOf = async ({ admin }: KillablePlatform, id: string, version: number, place: number) =>
  (await admin.get(`/eval-datasets/${id}/cases?version=${version}`)).json.data[place];

/** Works on the data of a platform that does not run. */
async function inFolder<T>({ dataDir }: KillablePlatform, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, stop } = await dbOfFolder(dataDir);
  try {
    return await work(db);
  } finally {
    await stop();
  }
}

/** Where a text is in what a killed platform has left. @param of  the session, or all */
const leftBy = (platform: KillablePlatform, of: string): Promise<string[]> =>
  inFolder(platform, async (db) => {
    const places = await everythingStored({ read: () => readTables(db) }, platform.dataDir);
    return places
      .filter(({ text }) => text.includes(`${SECRET}${of && ` of ${of}`}`))
      .map(({ where }) => where);
  });

/** A quarter of an hour passes for a removal that a platform was at: until then the dead process may be alive. */
const letTimePass = (platform: KillablePlatform, session_id: string): Promise<unknown> =>
  inFolder(platform, (db) => {
    const past = Math.floor(Date.now() / 1000) - 1_000;
    const set = { deleted_at: past, busy_until: past };
    return write(db, updateItem("sessions", sessionKey(session_id), { set }));
  });

test(
  "erasures of cases that are killed, in one dataset and in the next, leave no word of them",
  async () => {
    const platform = await killablePlatform({});
    killable = platform;
    const { admin, maria } = platform;
    await platform.start();
    const sources: Sources = await Promise.all(
      ["hers", "his"].map(async (session_id) => {
        const { run_id } = (await maria.run(`${SECRET} of ${session_id}`, { session_id })).json;
        return { run_id, session_id };
      }),
    );
    const made = [await datasetOf(platform, sources), await datasetOf(platform, sources)];
    // In the order in which they are erased.
    const datasets = made.toSorted();
    const evaluation = { eval_type: "reliability", agent_id: "assistant", expected_tool_calls: [] };
    const planned = { ...evaluation, dataset_id: datasets[1], dataset_version: 2 };
    const judged = (await admin.post("/eval-runs", { json: planned })).json;
    expect(judged).toMatchObject({ status: "completed", cases: 2 });

    for (const [place, { session_id }] of sources.entries()) {
      expect((await admin.call("DELETE", `/sessions/${session_id}`)).status).toBe(204);
      // The first is killed in the versions of the first dataset, the second in those of the second.
      await expect
        .poll(() => caseOf(platform, datasets[place] ?? "", 2, place), { timeout: TIMEOUT_MS, interval: 1 })
        .toMatchObject({ erased: true });
      await platform.kill();
      const left = (await leftBy(platform, session_id)).filter((where) => where.startsWith("evals"));
      expect(left.length, `the erasure of ${session_id} was over when it was killed`).toBeGreaterThan(0);
      await letTimePass(platform, session_id);
      await platform.start();
    }
    for (const id of datasets)
      for (let version = 2; version <= VERSIONS; version++)
        for (const place of sources.keys())
          await expect
            .poll(() => caseOf(platform, id, version, place), { timeout: TIMEOUT_MS })
            .toEqual({ id: expect.any(String), erased: true });
    // The sessions of the evaluation's trials go too.
    await expect
      .poll(async () => (await admin.get("/sessions?limit=100")).json.data, { timeout: TIMEOUT_MS })
      .toEqual([]);
    await platform.kill();
    expect(await leftBy(platform, "")).toEqual([]);
  },
  TIMEOUT_MS,
);
