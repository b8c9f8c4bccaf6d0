import { describe, expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { test } from "../support/shared-platform.ts";

const scopes = ["evals:read", "evals:write", "agents:run", "agents:read", "sessions:delete", "feedback:read"];
let as: (sub: string, more?: readonly string[]) => Client;
let admin: Client;
test.beforeAll(async ({ platform }) => {
  as = (sub, more = []) => clientOf(platform.url, platform.token(sub, [...scopes, ...more]));
  admin = clientOf(platform.url, platform.adminToken);
});

const newDataset = async (client: Client): Promise<string> => {
  const form = new FormData();
  form.append("name", "from runs");
  form.append("file", new File(['[{"input": "hello"}]'], "cases.json"));
  return (await client.post("/eval-datasets", { form })).json.id;
};
type Ids = { readonly run_id: string; readonly session_id: string };
const idsOf = ({ run_id, session_id }: Ids): Ids => ({ run_id, session_id });
const run = async (client: Client, message: string): Promise<Ids> => idsOf((await client.run(message)).json);
const add = (client: Client, id: string, json: object) => client.post(`/eval-datasets/${id}/cases`, { json });
const casesOf = async (client: Client, id: string, version = "") =>
  (await client.get(`/eval-datasets/${id}/cases${version && `?version=${version}`}`)).json.data;

describe("runs become cases", () => {
  test("with question, answer, tags, split and where they are from; what makes none is named", async () => {
    const mia = as("mia of cases");
    const id = await newDataset(mia);
    const [first, tool] = [await run(mia, "How are you?"), await run(mia, "[[tool:get_time {}]]")];
    const foreign = await run(as("olga of cases"), "mine");
    const runs = [first, tool, foreign, first];
    const added = await add(mia, id, { runs, tags: ["polite"], split: "train" });
    expect(added).toMatchObject({
      status: 201,
      json: {
        dataset_id: id,
        version: 2,
        added: 2,
        skipped: [
          { run_id: foreign.run_id, reason: "there is no such run" },
          { run_id: first.run_id, reason: "the dataset has a case of it" },
        ],
      },
    });
    const cases = await casesOf(mia, id);
    expect(cases).toMatchObject([
      { input: "hello" },
      {
        id: expect.stringMatching(/^case_[0-9a-f]{20}$/),
        input: "How are you?",
        expected_output: expect.stringContaining("How are you?"),
        tags: ["polite"],
        split: "train",
        source: { ...first, component_type: "agent", component_id: "assistant", tool_calls: 0 },
      },
      { input: "[[tool:get_time {}]]", source: { tool_calls: 1 } },
    ]);
    expect(JSON.stringify(cases)).not.toContain("source_key");
    expect(await add(mia, id, { runs: [first] })).toMatchObject({
      status: 200,
      json: { version: 2, added: 0 },
    });
    expect((await add(mia, id, { runs: [first], recording: true })).status).toBe(422);
    expect((await add(as("olga of cases"), id, { runs: [foreign] })).status).toBe(404);
  });

  test("a hundred by a filter are one version, and an evaluation asks them", async () => {
    const nora = as("nora of cases");
    const id = await newDataset(nora);
    for (let from = 0; from < 104; from += 8) {
      const asked = Array.from({ length: 8 }, (_, i) => nora.run(`question ${from + i}`));
      for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    }
    const filter = { component_id: "assistant", q: "question" };
    const { json } = await add(nora, id, { filter, most: 100, expected: "none" });
    expect(json).toMatchObject({ version: 2, added: 100, skipped: [], more: true });
    const cases = await casesOf(nora, id);
    expect(cases).toHaveLength(100);
    expect(cases.some((one: object) => "expected_output" in one)).toBe(false);
    const again = (await add(nora, id, { filter, most: 102, expected: "none" })).json;
    expect(again).toMatchObject({ version: 3, added: 2, more: true });
    expect(again.skipped).toHaveLength(100);
    // The first one of the page is the dataset's own.
    for (const { source } of cases.slice(1))
      expect(again.skipped).toContainEqual({ run_id: source.run_id, reason: "the dataset has a case of it" });
  });

  test("a correction is what is expected; a run without one is named", async () => {
    const kim = as("kim of cases");
    const id = await newDataset(kim);
    const [judged, other] = [await run(kim, "two and two?"), await run(kim, "three?")];
    await kim.post(`/runs/${judged.run_id}/feedback`, {
      json: { session_id: judged.session_id, key: "correction", correction: "four" },
    });
    const { json } = await add(kim, id, { runs: [judged, other], expected: "correction" });
    expect(json).toMatchObject({
      added: 1,
      skipped: [{ run_id: other.run_id, reason: "there is no correction of it" }],
    });
    expect((await casesOf(kim, id))[1]).toMatchObject({ input: "two and two?", expected_output: "four" });
    const failed = await run(kim, "[[fail:out of order]]");
    const filter = { component_id: "assistant" };
    expect((await add(kim, await newDataset(kim), { filter })).json).toMatchObject({
      added: 2,
      skipped: [{ run_id: failed.run_id, reason: "it is ERROR, and has no answer" }],
      more: false,
    });
  });

  test("personal data becomes one token in question and answer; of others it does without being asked for", async () => {
    const lea = as("lea of cases");
    const asked = await run(lea, "I am lea@x.org, card 4111 1111 1111 1111, not 4111 1111 1111 1112");
    const hers = await newDataset(lea);
    await add(lea, hers, { runs: [asked] });
    expect((await casesOf(lea, hers))[1].input).toContain("lea@x.org");
    const reader = as("reader of cases", ["feedback:everybody"]);
    const id = await newDataset(reader);
    for (const redact of [false, { detect: [] }, { detect: ["email", "phone", "iban", "card"] }])
      expect((await add(reader, id, { runs: [asked], redact })).status).toBe(403);
    expect((await add(reader, id, { runs: [asked] })).status).toBe(201);
    const [, one] = await casesOf(reader, id);
    expect(one.input).toBe("I am <email_1>, card <card_1>, not 4111 1111 1111 1112");
    expect(one.expected_output).toContain("<email_1>");
    expect(one.expected_output).not.toContain("lea@x.org");
    // To name something more takes nothing away.
    const named = await newDataset(reader);
    expect((await add(reader, named, { runs: [asked], redact: { names: ["card"] } })).status).toBe(201);
    expect((await casesOf(reader, named))[1].input).toContain("I am <email_1>, <name_1>");
  });

  test("a dataset may begin without cases, and be emptied; no evaluation can be made of it then", async () => {
    const pia = as("pia of cases");
    const form = new FormData();
    form.append("name", "of runs alone");
    const made = await pia.post("/eval-datasets", { form });
    expect(made).toMatchObject({ status: 201, json: { version: 1, cases: 0 } });
    const { id } = made.json;
    const body = { eval_type: "reliability", agent_id: "assistant", dataset_id: id, expected_tool_calls: [] };
    expect(await pia.post("/eval-runs", { json: body })).toMatchObject({
      status: 400,
      json: { detail: `version 1 of dataset ${id} has no cases` },
    });
    expect((await add(pia, id, { runs: [await run(pia, "hello")] })).json).toMatchObject({
      version: 2,
      added: 1,
    });
    const [only] = await casesOf(pia, id);
    const change = { base_version: 2, remove: [only.id] };
    expect(await pia.call("PATCH", `/eval-datasets/${id}/cases`, { json: change })).toMatchObject({
      status: 200,
      json: { version: 3, cases: 0 },
    });
    expect((await pia.get(`/eval-datasets/${id}/export`)).headers.get("x-cases")).toBe("0");
  });

  test("to keep a case beyond its session takes an admin and a redaction, and the audit has it", async () => {
    const ida = as("ida of cases");
    const asked = await run(ida, "ida@x.org asks");
    const kept = { runs: [asked], on_removed_source: "keep" };
    const redact = { detect: ["email"] };
    const own = await newDataset(ida);
    expect((await add(ida, own, { ...kept, redact })).status).toBe(403);
    const id = await newDataset(admin);
    expect((await add(admin, id, { ...kept, redact: false })).status).toBe(422);
    expect((await add(admin, id, { ...kept, redact: { detect: [] } })).status).toBe(422);
    expect((await add(admin, id, { ...kept, redact })).status).toBe(201);
    const [, one] = await casesOf(admin, id);
    expect(one.source).toEqual({ component_type: "agent", component_id: "assistant", tool_calls: 0 });
    const { data } = (await admin.get("/audit?operation=addDatasetCases&limit=50")).json;
    expect(data).toContainEqual(
      expect.objectContaining({
        target: { dataset_id: id },
        outcome: "changed",
        after: expect.objectContaining({ on_removed_source: "keep" }),
      }),
    );
  });
});

describe("cases are changed", () => {
  test("by id, on the newest version alone: of two at once one is refused with 409", async () => {
    const eva = as("eva of cases");
    const id = await newDataset(eva);
    const change = (json: object) => eva.call("PATCH", `/eval-datasets/${id}/cases`, { json });
    const [{ id: first }] = await casesOf(eva, id);
    const answers = await Promise.all(
      ["one", "two"].map((name) => change({ base_version: 1, set: [{ id: first, name }] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const next = {
      base_version: 2,
      set: [
        { input: "new", tags: ["x"] },
        { id: first, name: null, split: "test" },
      ],
    };
    expect(await change(next)).toMatchObject({ status: 200, json: { version: 3, cases: 2 } });
    expect(await casesOf(eva, id)).toEqual([
      { id: first, input: "hello", split: "test" },
      { id: expect.any(String), input: "new", tags: ["x"] },
    ]);
    expect((await change({ base_version: 3, remove: ["nowhere"] })).status).toBe(422);
    expect((await change({ base_version: 3, set: [{ name: "no input" }] })).status).toBe(422);
    expect(await change({ base_version: 3, remove: [first] })).toMatchObject({ json: { cases: 1 } });
    expect(await casesOf(eva, id, "3")).toHaveLength(2);
  });
});

test("an export for training has messages alone, and counts the runs with tools that it leaves out", async () => {
  const pia = as("pia of cases");
  const id = await newDataset(pia);
  await add(pia, id, { runs: [await run(pia, "Plain?"), await run(pia, "[[tool:get_time {}]]")] });
  const get = (format: string) => pia.get(`/eval-datasets/${id}/export?format=${format}`);
  const lines = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const sft = await get("sft");
  expect(lines(sft.text)).toEqual([
    {
      messages: [
        { role: "user", content: "Plain?" },
        { role: "assistant", content: expect.stringContaining("Plain?") },
      ],
    },
  ]);
  const counts = ["x-cases", "x-left-out-tool-runs", "x-left-out-without-answer", "x-left-out-erased"];
  expect(counts.map((name) => sft.headers.get(name))).toEqual(["1", "1", "1", "0"]);
  expect(lines((await get("openai")).text)[1]).toMatchObject({ item: { input: "Plain?" } });
  expect(lines((await get("jsonl")).text)).toHaveLength(3);
});
