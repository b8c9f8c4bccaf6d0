import { afterAll, expect, test } from "vitest";
import { clientOf } from "../../support/client.ts";
import { startPlatform } from "../../support/platform.ts";

const platform = await startPlatform({
  env: {
    DAILY_TOKENS_PER_USER: "9000",
    DAILY_COST_PER_DEPLOYMENT: "50",
    MODEL_PRICES: '{"scripted":{"input_per_million":1,"output_per_million":10}}',
  },
});
afterAll(() => platform.stop());

const scopes = [
  "agents:run",
  "agents:read",
  "sessions:read",
  "sessions:write",
  "memories:read",
  "memories:write",
  "evals:write",
  "service_accounts:write",
];
const clientFor = (sub: string) => clientOf(platform.url, platform.token(sub, scopes));
type Client = ReturnType<typeof clientFor>;

/** Spends 5,000 of the 9,000 tokens of a day: too little is left for the most that another call may need. */
const spendMost = async (client: Client) => {
  const { json } = await client.run("[[tokens:5000]]");
  expect(json).toMatchObject({ status: "COMPLETED" });
  return json;
};

async function mint(owner: Client, more: object = {}): Promise<Client> {
  const json = { name: `account-${++minted}`, scopes: [{ scope: "agents:run" }], ...more };
  const answer = await owner.post("/service-accounts", { json });
  expect(answer.status).toBe(201);
  return clientOf(platform.url, answer.json.token);
}
let minted = 0;

test("whoever has used up the day waits for a person, in the foreground and in the background", async () => {
  const maria = clientFor("maria");
  const first = await maria.run("[[tokens:4000]]");
  expect(first.json).toMatchObject({ status: "COMPLETED", metrics: { cost: expect.any(Number) } });
  expect(first.json.metrics.cost).toBeCloseTo(0.04, 3);

  const second = await maria.run("hello");
  expect(second.status).toBe(200);
  expect(second.json).toMatchObject({
    status: "PAUSED",
    content: expect.stringContaining("daily_tokens_per_user is 9000"),
    requirements: [
      {
        tool_execution: { tool_name: "budget", tool_args: { reason: "budget" }, requires_confirmation: true },
      },
    ],
  });
  const third = await maria.settled(await maria.submit("hello"));
  expect(third.status).toBe("PAUSED");

  expect((await clientFor("otto").run("hello")).json.status).toBe("COMPLETED");
});

test("a session costs what its runs and the runs within them cost", async () => {
  const scopes = ["agents:run", "teams:run", "workflows:run", "sessions:read"];
  const nina = clientOf(platform.url, platform.token("nina", scopes));
  const task = { member_id: "assistant", task: "one two three four five six" };
  const form = { message: `[[tool:delegate_task_to_member ${JSON.stringify(task)}]]`, stream: "false" };
  const { json: team } = await nina.post("/teams/support-team/runs", { form });
  expect(team.total_metrics.cost).toBeGreaterThan(team.metrics.cost);
  const again = { message: "hello", stream: "false", session_id: team.session_id };
  const { json: second } = await nina.post("/teams/support-team/runs", { form: again });
  const shown = (await nina.get(`/sessions/${team.session_id}`)).json;
  expect(shown.metrics.cost).toBeCloseTo(team.total_metrics.cost + second.total_metrics.cost, 8);

  const flow = { message: "lighthouses", stream: "false" };
  const { json: workflow } = await nina.post("/workflows/publish-report/runs", { form: flow });
  const { session_data } = (await nina.get(`/sessions/${workflow.session_id}`)).json;
  expect(workflow.total_metrics.cost).toBeGreaterThan(0);
  expect(session_data.session_metrics.cost).toBeCloseTo(workflow.total_metrics.cost, 8);
  const { data } = (await nina.get("/sessions")).json;
  const costs = new Map(
    data.map((one: { session_id: string; total_cost: number }) => [one.session_id, one.total_cost]),
  );
  // Both may have been used in the same second: then their order is open.
  expect(costs).toEqual(
    new Map([
      [workflow.session_id, session_data.session_metrics.cost],
      [team.session_id, shown.metrics.cost],
    ]),
  );
});

/** A refusal of a call outside of a run: there is no run that could wait for a person. */
const noRoom = {
  status: 429,
  json: { detail: expect.stringContaining("daily_tokens_per_user is 9000"), error_code: "TOO_MANY_REQUESTS" },
};

test("a session is not named by a model beyond the budget, and the answer says when to come back", async () => {
  const client = clientFor("rosa");
  const { session_id } = await spendMost(client);
  const answer = await client.post(`/sessions/${session_id}/rename?type=agent`, {
    json: { autogenerate: true },
  });
  expect(answer).toMatchObject(noRoom);
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(86_400);
});

test("memories are not merged by a model beyond the budget", async () => {
  const client = clientFor("sofia");
  await client.post("/memories", { json: { memory: "Likes tea" } });
  expect((await client.post("/optimize-memories", { json: { user_id: "sofia", apply: false } })).status).toBe(
    200,
  );
  await spendMost(client);
  expect(await client.post("/optimize-memories", { json: { user_id: "sofia" } })).toMatchObject(noRoom);
});

test("what a call outside of a run has used counts", async () => {
  const client = clientFor("tilda");
  await client.post("/memories", { json: { memory: "[[tokens:5000]]" } });
  const optimize = () => client.post("/optimize-memories", { json: { user_id: "tilda", apply: false } });
  expect((await optimize()).status).toBe(200);
  expect(await optimize()).toMatchObject(noRoom);
});

test("a service account spends its owner's budget, and another account brings no other", async () => {
  const owner = clientFor("ursula");
  const [first, second] = [await mint(owner), await mint(owner)];
  await spendMost(first);
  for (const client of [first, second, owner]) {
    const { json } = await client.run("hello");
    expect(json).toMatchObject({
      status: "PAUSED",
      content: expect.stringContaining("daily_tokens_per_user"),
    });
  }
});

test("a service account may have a smaller budget of its own, from which no other caller spends", async () => {
  const owner = clientFor("vera");
  const account = await mint(owner, { daily_tokens: 6_500 });
  expect((await account.run("[[tokens:2000]]")).json).toMatchObject({ status: "COMPLETED" });
  const { json } = await account.run("hello");
  expect(json).toMatchObject({
    status: "PAUSED",
    requirements: [{ tool_execution: { tool_args: { limit: "daily_tokens_per_account", allowed: 6_500 } } }],
  });
  // What the refused call held of the owner's day was released.
  expect((await owner.run("hello")).json).toMatchObject({ status: "COMPLETED" });
});

test("an account escapes neither its owner's budget nor its own by minting another", async () => {
  const owner = clientFor("xenia");
  const scopes = [{ scope: "agents:run" }, { scope: "service_accounts:write" }];
  const parent = await mint(owner, { scopes, allow_privileged_scopes: true, daily_tokens: 6_500 });
  const child = await mint(parent);
  expect((await child.run("[[tokens:2000]]")).json).toMatchObject({ status: "COMPLETED" });
  const limit = { tool_args: { limit: "daily_tokens_per_account", allowed: 6_500 } };
  expect((await child.run("hello")).json).toMatchObject({
    status: "PAUSED",
    requirements: [{ tool_execution: limit }],
  });
  await spendMost(owner);
  const { json } = await child.run("hello");
  expect(json.content).toContain("daily_tokens_per_user is 9000");
});

test("users see what they have spent today, also by their accounts, and admins what all have", async () => {
  const owner = clientOf(platform.url, platform.token("yara", [...scopes, "metrics:read"]));
  const account = await mint(owner);
  await spendMost(account);
  const own = await owner.get("/budgets");
  const limits = { tokens: { limit: 9_000 }, cost: { limit: null } };
  expect(own.json).toMatchObject({ user: limits, deployment: null });
  expect(own.json.user.tokens.used).toBeGreaterThanOrEqual(5_000);
  const all = await clientOf(platform.url, platform.adminToken).get("/budgets?user_id=yara");
  expect(all.json.user).toEqual(own.json.user);
  expect(all.json.deployment).toMatchObject({ tokens: { limit: null }, cost: { limit: 50 } });
  expect(all.json.deployment.cost.used).toBeGreaterThan(own.json.user.cost.used);
  expect(
    (await clientOf(platform.url, platform.token("zoe", ["metrics:read"])).get("/budgets?user_id=yara")).json
      .user.tokens.used,
  ).toBe(0);
});

test.each([{ daily_tokens: 0 }, { daily_tokens: 1.5 }, { daily_cost: -1 }, { daily_cost: 5e-324 }])(
  "an account is not minted with the limit %j",
  async (limit) => {
    const json = { name: "limited", scopes: [], ...limit };
    expect((await clientFor("wanda").post("/service-accounts", { json })).status).toBe(422);
  },
);
