import { describe, expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { test } from "../support/shared-platform.ts";

const scopes = ["evals:read", "evals:write", "evals:delete", "agents:run"];
let maria: Client;
let otto: Client;
test.beforeAll(async ({ platform }) => {
  const as = (sub: string) => clientOf(platform.url, platform.token(sub, scopes));
  maria = as("maria of datasets");
  otto = as("otto of datasets");
});

const formOf = (content: string, filename: string, name?: string): FormData => {
  const form = new FormData();
  if (name !== undefined) form.append("name", name);
  form.append("file", new File([content], filename, { type: "application/octet-stream" }));
  return form;
};
const upload = (content: string, filename: string, client = maria) =>
  client.post("/eval-datasets", { form: formOf(content, filename, "questions") });
const add = (id: string, content: string, filename: string, client = maria) =>
  client.post(`/eval-datasets/${id}/versions`, { form: formOf(content, filename) });

const CSV = `input,name,expected_tool_calls,expected_tool_call_arguments
"[[tool:add_numbers {""a"":1,""b"":2}]]",adds,add_numbers,"{""add_numbers"": {""a"": 1}}"
"hello, you",greets,[],
`;

describe("a dataset", () => {
  test("has the cases of a CSV file, and is shared by evaluations that pin its version", async () => {
    const { status, json: made } = await upload(CSV, "cases.csv");
    expect([status, made]).toEqual([
      201,
      expect.objectContaining({ name: "questions", version: 1, cases: 2, user_id: "maria of datasets" }),
    ]);
    const evaluated = async (more: object = {}) =>
      (
        await maria.post("/eval-runs", {
          json: { eval_type: "reliability", agent_id: "assistant", dataset_id: made.id, ...more },
        })
      ).json;
    const first = await evaluated();
    expect(first).toMatchObject({
      dataset_id: made.id,
      dataset_version: 1,
      cases: 2,
      status: "completed",
      eval_data: { eval_status: "PASSED" },
    });
    const added = await add(
      made.id,
      '[{"input": "hello", "expected_tool_calls": ["get_time"]}]',
      "more.json",
    );
    expect([added.status, added.json]).toEqual([201, expect.objectContaining({ version: 2, cases: 1 })]);
    expect(await evaluated()).toMatchObject({ dataset_version: 2, eval_data: { eval_status: "FAILED" } });
    expect(await evaluated({ dataset_version: 1 })).toMatchObject({ dataset_version: 1, cases: 2 });
    expect((await maria.get(`/eval-runs/${first.id}`)).json).toMatchObject({ dataset_version: 1, cases: 2 });
    const cases = await maria.get(`/eval-datasets/${made.id}/cases?version=1&limit=1&page=2`);
    expect(cases.json).toEqual({
      dataset_id: made.id,
      version: 1,
      cases: 2,
      data: [{ id: expect.any(String), input: "hello, you", name: "greets", expected_tool_calls: [] }],
    });
  });

  test("with semicolons between cells keeps commas in them", async () => {
    const { json } = await upload("input;expected_output\nyes, please;You said: yes, please\n", "cases.csv");
    const { data } = (await maria.get(`/eval-datasets/${json.id}/cases`)).json;
    expect(data).toEqual([
      { id: expect.any(String), input: "yes, please", expected_output: "You said: yes, please" },
    ]);
  });

  test.each([
    [
      "a column that is unknown",
      "input,expected_outptu\na,b\n",
      "cases.csv",
      "",
      "the nearest is expected_output",
    ],
    ["a row without an input", "input,name\na,one\n,two\n", "cases.csv", "rows[2].input", ""],
    ["a row with too many cells", "input,name\na,one,more\n", "cases.csv", "rows[1]", "3 cells"],
    ["no array", '{"input": "a"}', "cases.json", "", "no JSON array"],
    ["a member that is unknown", '[{"input":"a","output":"b"}]', "cases.json", "rows[1].output", ""],
    ["nothing", "", "cases.csv", "", "no cases"],
    ["too many cases", `input\n${"a\n".repeat(501)}`, "cases.csv", "", "may have 500"],
  ])("is refused with %s, and says where", async (_what, content, filename, path, text) => {
    const { status, json } = await upload(content, filename);
    expect([status, json.error_code]).toEqual([422, "UNPROCESSABLE"]);
    expect(json.faults[0].path).toBe(path);
    expect(json.faults[0].message).toContain(text);
  });

  test("whose row lacks what the evaluation needs is refused by the name of the row; [] forbids every tool", async () => {
    const { json } = await upload(
      'input,name,expected_tool_calls\nhello,greets,[]\n"[[tool:get_time {}]]",asks,\n',
      "cases.csv",
    );
    const evaluate = (id: string) =>
      maria.post("/eval-runs", { json: { eval_type: "reliability", agent_id: "assistant", dataset_id: id } });
    const refused = await evaluate(json.id);
    expect([refused.status, refused.json.detail]).toEqual([
      400,
      'case 2 ("asks"): expected_tool_calls is required for evaluations of type reliability; [] says that no tool may be called',
    ]);
    const none = await upload('[{"input": "[[tool:get_time {}]]", "expected_tool_calls": []}]', "none.json");
    expect((await evaluate(none.json.id)).json.eval_data).toMatchObject({
      eval_status: "FAILED",
      failed_tool_calls: ["get_time"],
    });
  });

  test("lists every row that is wrong", async () => {
    const { json } = await upload('[{}, {"input":"a"}, {"input":""}]', "cases.json");
    expect(json.faults.map(({ path }: { path: string }) => path)).toEqual(["rows[1].input", "rows[3].input"]);
  });

  test("is its owner's, and gone once it is deleted; what used it stays", async () => {
    const { json } = await upload("input\nhello\n", "cases.csv");
    const body = { eval_type: "performance", agent_id: "assistant", dataset_id: json.id };
    expect((await otto.get(`/eval-datasets/${json.id}`)).status).toBe(404);
    expect((await otto.post("/eval-runs", { json: body })).status).toBe(404);
    expect((await otto.call("DELETE", `/eval-datasets/${json.id}`)).status).toBe(404);
    const ids = async (client: Client) =>
      (await client.get("/eval-datasets")).json.data.map(({ id }: { id: string }) => id);
    expect(await ids(maria)).toContain(json.id);
    expect(await ids(otto)).toEqual([]);
    const used = (await maria.post("/eval-runs", { json: body })).json;
    expect((await maria.call("DELETE", `/eval-datasets/${json.id}`)).status).toBe(204);
    expect((await maria.get(`/eval-datasets/${json.id}/cases`)).status).toBe(404);
    expect(await ids(maria)).not.toContain(json.id);
    expect((await maria.post("/eval-runs", { json: body })).status).toBe(404);
    expect((await maria.get(`/eval-runs/${used.id}/cases`)).json.data).toMatchObject([{ input: "hello" }]);
  });

  test("takes the place of input and cases, and no version that there is not", async () => {
    const { json } = await upload("input\nhello\n", "cases.csv");
    const body = { eval_type: "performance", agent_id: "assistant", dataset_id: json.id };
    expect((await maria.post("/eval-runs", { json: { ...body, input: "x" } })).status).toBe(422);
    expect((await maria.post("/eval-runs", { json: { ...body, dataset_version: 2 } })).status).toBe(404);
  });
});
