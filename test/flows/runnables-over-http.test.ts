import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "../support/client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const clientWith = (...scopes: string[]) => clientOf(platform.url, platform.token("maria", scopes));

describe("what is shown of a team", () => {
  test("is its leader, how it works, and its members as what they are", async () => {
    const client = clientWith("teams:read");
    const { status, json } = await client.get("/teams/support-team");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: "support-team",
      name: "Support team",
      mode: "coordinate",
      is_factory: false,
      is_component: false,
      members: [
        { id: "assistant", name: "Assistant", is_factory: false },
        { id: "refund-desk", name: "Refund desk" },
      ],
    });
    expect(json).not.toHaveProperty("streaming");
    expect(json).not.toHaveProperty("extra_messages");
    expect((await client.get("/teams")).json).toEqual([json]);
    expect(await client.get("/teams/unknown")).toMatchObject({ status: 404 });
  });
});

describe("what is shown of a workflow", () => {
  test("is a summary in the list, and its steps, those within them included, by itself", async () => {
    const client = clientWith("workflows:read");
    const { json: listed } = await client.get("/workflows");
    expect(listed).toHaveLength(1);
    expect(Object.keys(listed[0]).sort()).toEqual([
      "db_id",
      "description",
      "id",
      "is_component",
      "is_factory",
      "name",
    ]);
    const { json } = await client.get("/workflows/publish-report");
    expect(json).toMatchObject({ ...listed[0], workflow_agent: false });
    expect(json.steps).toMatchObject([
      { name: "research", type: "Step", agent: { id: "assistant" } },
      {
        name: "drafts",
        type: "Parallel",
        steps: [
          { name: "plain draft", type: "Step" },
          { name: "outline", type: "Function" },
        ],
      },
      { name: "too long?", type: "Condition", steps: [{ name: "shorten" }], else_steps: [{ name: "keep" }] },
      { name: "publish", type: "Function" },
    ]);
    expect(await client.get("/workflows/unknown")).toMatchObject({ status: 404 });
    expect(await client.get("/workflows/publish-report?version=x")).toMatchObject({ status: 422 });
  });
});

describe.each(["agents", "teams", "workflows"])("the list of %s", (kind) => {
  test("is refused without a scope of theirs, and shows those that a scope names", async () => {
    const all = (await clientWith(`${kind}:read`).get(`/${kind}`)).json;
    const [first] = all;
    const some = clientWith(`${kind}:${first.id}:read`);
    expect((await some.get(`/${kind}`)).json).toEqual([first]);
    expect(await some.get(`/${kind}/unknown`)).toMatchObject({ status: 403 });
    expect(await clientWith("sessions:read").get(`/${kind}`)).toMatchObject({ status: 403 });
  });

  test("a run needs the run scope, of all or of this one", async () => {
    const [first] = (await clientWith(`${kind}:read`).get(`/${kind}`)).json;
    const run = (...scopes: string[]) =>
      clientWith(...scopes).post(`/${kind}/${first.id}/runs`, { form: { message: "hi", stream: "false" } });
    expect(await run(`${kind}:read`)).toMatchObject({ status: 403 });
    expect(await run(`${kind}:another:run`)).toMatchObject({ status: 403 });
    expect(await run(`${kind}:${first.id}:run`)).toMatchObject({ status: 200 });
  });
});
