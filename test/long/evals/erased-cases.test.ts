import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type Stored, type StoreView, viewStores } from "../../support/stored.ts";

let platform: TestPlatform;
let view: StoreView;
let maria: Client;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  view = viewStores(platform);
  const scopes = ["agents:read", "agents:run", "sessions:read", "sessions:delete"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(async () => {
  view.close();
  await platform.stop();
});

const SECRET = "the violet parcel";
const LARGE = 90_000;
const until = (holds: (stored: Stored) => boolean) =>
  expect.poll(view.read, { interval: 50 }).toSatisfy(holds).then(view.read);

const newDataset = async (): Promise<string> => {
  const form = new FormData();
  form.append("name", "from runs");
  form.append("file", new File([`[{"input": "hello", "criteria": "polite"}]`], "cases.json"));
  return (await admin.post("/eval-datasets", { form })).json.id;
};
const casesOf = async (id: string, version: number) =>
  (await admin.get(`/eval-datasets/${id}/cases?version=${version}`)).json.data;
const evaluate = async (more: object) =>
  (await admin.post("/eval-runs", { json: { eval_type: "reliability", agent_id: "assistant", ...more } }))
    .json;

test("a removed session's cases are erased in all versions, and in plans, results and sessions of evaluations", async () => {
  const said = `${SECRET} ${Array.from({ length: LARGE / 40 }, (_, i) => crypto.randomUUID() + i).join(" ")}`;
  const run = (await maria.run(said, { session_id: "hers" })).json;
  const id = await newDataset();
  const body = { runs: [{ run_id: run.run_id, session_id: "hers" }], redact: false };
  expect(await admin.post(`/eval-datasets/${id}/cases`, { json: body })).toMatchObject({
    status: 201,
    json: { version: 2, added: 1 },
  });
  const change = { base_version: 2, set: [{ input: "another" }] };
  expect((await admin.call("PATCH", `/eval-datasets/${id}/cases`, { json: change })).status).toBe(200);
  const expected = { expected_tool_calls: [] };
  const before = await evaluate({ dataset_id: id, dataset_version: 2, ...expected });
  expect(before).toMatchObject({ status: "completed", cases: 2 });
  const trials = (await admin.get(`/eval-runs/${before.id}/cases`)).json.data;
  const session = trials[1].runs[0].session_id;
  expect((await admin.get(`/sessions/${session}`)).status).toBe(200);

  expect((await maria.call("DELETE", "/sessions/hers")).status).toBe(204);
  await until((stored) => !JSON.stringify(stored).includes(SECRET));
  await expect.poll(async () => (await admin.get(`/sessions/${session}`)).status, { interval: 50 }).toBe(404);
  for (const version of [2, 3]) {
    const cases = await casesOf(id, version);
    expect(cases[0]).toMatchObject({ input: "hello" });
    expect(cases[1]).toEqual({ id: expect.any(String), erased: true });
  }
  const after = (await admin.get(`/eval-runs/${before.id}/cases`)).json.data;
  expect(after.map(({ input }: { input: string }) => input)).toEqual(["hello", ""]);
  expect((await admin.get(`/eval-runs/${before.id}`)).json).toMatchObject({
    status: "completed",
    eval_data: { eval_status: "PASSED" },
  });
  // The next evaluation does without it.
  expect(await evaluate({ dataset_id: id, ...expected })).toMatchObject({ status: "completed", cases: 2 });
  const lines = await admin.get(`/eval-datasets/${id}/export`);
  expect([lines.headers.get("x-cases"), lines.headers.get("x-left-out-erased")]).toEqual(["2", "1"]);
});
