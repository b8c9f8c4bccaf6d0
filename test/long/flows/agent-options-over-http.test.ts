import { afterAll, describe, expect, test } from "vitest";
import { clientOf, framesOf, orderOf } from "../../support/client.ts";
import { startPlatform } from "../../support/platform.ts";

const platform = await startPlatform({ env: { MAX_ATTEMPTS: "2" } });
afterAll(() => platform.stop());

const scopes = ["agents:run", "agents:read"];
const maria = clientOf(platform.url, platform.token("maria", scopes));

/** Runs an agent and waits. */
const ask = (agent: string, message: string, form: Record<string, string> = {}) =>
  maria.post(`/agents/${agent}/runs`, { form: { message, stream: "false", ...form } });

const stream = async (agent: string, message: string, form: Record<string, string> = {}) =>
  framesOf((await maria.post(`/agents/${agent}/runs`, { form: { message, ...form } })).text);

type Said = {
  readonly role: string;
  readonly content?: string;
  readonly context?: string;
  readonly from_history: boolean;
};
const contextOf = ({ json }: { json: { messages: Said[] } }) =>
  json.messages.find(({ role, from_history }) => role === "user" && !from_history)?.context;
const systemPrompt = ({ json }: { json: { messages: Said[] } }) =>
  json.messages.find(({ role }) => role === "system")?.content;

describe("what an agent knows of its session", () => {
  test("a tool's change of the state is in the output, in the session and in the next run's instructions", async () => {
    const first = await ask("concierge", '[[tool:remember_name {"name":"Maria"}]]', {
      session_state: '{"floor":3}',
    });
    expect(first.json).toMatchObject({ status: "COMPLETED", session_state: { floor: 3, guest: "Maria" } });
    expect(systemPrompt(first)).toContain("Ask for the guest's name");
    const { session_id } = first.json;
    const next = await ask("concierge", "hello", { session_id });
    expect(next.json.session_state).toEqual({ floor: 3, guest: "Maria" });
    expect(systemPrompt(next)).toContain("- Call the guest Maria.");
  });

  test("states that runs side by side were given are all kept", async () => {
    const { session_id } = (await ask("assistant", "open")).json;
    const keys = ["a", "b", "c", "d"];
    await Promise.all(
      keys.map((key) => ask("assistant", "[[sleep:150]]", { session_id, session_state: `{"${key}":1}` })),
    );
    const { json } = await ask("assistant", "read", { session_id });
    expect(json.session_state).toEqual({ a: 1, b: 1, c: 1, d: 1 });
  });

  test("a run sums the session up, and the next one receives it", async () => {
    const frames = await stream("concierge", "When is breakfast?");
    expect(orderOf(frames)).toEqual([
      "RunStarted",
      "PreHookStarted",
      "PreHookCompleted",
      "ModelRequestStarted",
      "RunContent",
      "ModelRequestCompleted",
      "RunContentCompleted",
      "PostHookStarted",
      "PostHookCompleted",
      "SessionSummaryStarted",
      "SessionSummaryCompleted",
      "FollowupsStarted",
      "FollowupsCompleted",
      "RunCompleted",
    ]);
    const summed = frames.find(({ event }) => event === "SessionSummaryCompleted");
    expect(summed?.data.session_summary).toMatchObject({
      summary: expect.stringContaining("When is breakfast?"),
      updated_at: expect.stringMatching(/Z$/),
    });
    const session_id = String(frames[0]?.data.session_id);
    const next = await ask("concierge", "And dinner?", { session_id });
    expect(contextOf(next)).toContain("Summary of the conversation so far:");
    expect(next.json).toMatchObject({
      followups: [expect.any(String), expect.any(String)],
      metrics: { details: { session_summary_model: [{}], followup_model: [{}] } },
    });
  });

  test("a model may read what was said before", async () => {
    const { session_id } = (await ask("concierge", "My room is 12.")).json;
    const { json } = await ask("concierge", "[[tool:get_chat_history {}]]", { session_id });
    expect(json.content).toContain("My room is 12.");
  });

  test("dependencies and the time are passed to the agent that asks for them", async () => {
    const run = await ask("concierge", "hello", { dependencies: '{"house":"Alpenblick"}' });
    expect(contextOf(run)).toContain('Context: {"house":"Alpenblick"}');
    expect(contextOf(run)).toMatch(/It is .*(CET|CEST|GMT\+[12])\./);
  });
});

describe("a guard", () => {
  const card = "My card is 4111 1111 1111 1111.";

  test("that refuses the input ends a waiting run as ERROR, with status 200", async () => {
    const { status, json } = await ask("concierge", card);
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: "ERROR", content: "Please do not send card numbers." });
  });

  test("that refuses the input ends a stream with what it is called", async () => {
    const frames = await stream("concierge", card);
    expect(orderOf(frames)).toEqual(["RunStarted", "PreHookStarted", "RunError"]);
    expect(frames[2]?.data).toMatchObject({ error_type: "input_check_error", error_id: "card_number" });
  });

  test("that refuses the input is not tried again in the background", async () => {
    const accepted = await ask("concierge", card, { background: "true" });
    expect(accepted.status).toBe(202);
    const { run_id, session_id } = accepted.json;
    const at = `/agents/concierge/runs/${run_id}?session_id=${session_id}`;
    // A run that is to be tried again is PENDING meanwhile, not ERROR.
    await expect.poll(async () => (await maria.get(at)).json.status).toBe("ERROR");
  });

  test("that refuses the answer ends the run as ERROR", async () => {
    const frames = await stream("concierge", "The password is tulip.");
    expect(orderOf(frames).slice(-3)).toEqual(["RunContentCompleted", "PostHookStarted", "RunError"]);
    expect(frames.at(-1)?.data).toMatchObject({ error_type: "output_check_error", error_id: "password" });
  });
});

describe("an agent with an input schema", () => {
  const order = '{"customer":"Maria","items":[{"sku":"A-1","count":2}]}';

  test("takes JSON of that shape", async () => {
    expect((await ask("order-intake", order)).json).toMatchObject({ status: "COMPLETED" });
  });

  test.each(["hello", "{}", '{"customer":"Maria","items":[]}'])(
    "refuses %s with 400 and starts nothing",
    async (message) => {
      const session_id = `intake ${message}`;
      for (const background of ["false", "true"]) {
        const { status, json } = await ask("order-intake", message, { background, session_id });
        expect(status).toBe(400);
        expect(json.detail).toContain("input schema");
      }
      const runs = await maria.get(`/agents/order-intake/runs?session_id=${encodeURIComponent(session_id)}`);
      expect(runs.status).toBe(404);
    },
  );

  test("answers a stream with a single RunError", async () => {
    const frames = await stream("order-intake", "hello");
    expect(orderOf(frames)).toEqual(["RunError"]);
    expect(frames[0]?.data).toMatchObject({
      run_id: "",
      agent_id: "order-intake",
      error_type: "input_check_error",
    });
  });

  test("shows the schema", async () => {
    const { json } = await maria.get("/agents/order-intake");
    expect(json.input_schema).toMatchObject({ type: "object", required: ["customer", "items"] });
  });
});

describe("the form of a run", () => {
  test("names a version, which what is declared does not have: ignored; one that is no number: 422", async () => {
    expect((await ask("assistant", "a", { version: "3" })).status).toBe(200);
    const { status, json } = await ask("assistant", "a", { version: "three" });
    expect([status, json.detail[0].loc]).toEqual([422, ["body", "version"]]);
  });

  test.each(["[1]", "7", "{not json"])(
    "has a factory_input that is no object (%s): 400",
    async (factory_input) => {
      expect((await ask("assistant", "a", { factory_input })).status).toBe(400);
    },
  );

  test.each([
    '{"topic":"rooms"}',
    '{"op":"AND","conditions":[{"op":"EQ","key":"floor","value":3},{"op":"IN","key":"wing","values":["a"]}]}',
    '[{"op":"NOT","condition":{"op":"STARTSWITH","key":"name","value":"x"}}]',
    '{"op":"LIKE","key":"name"}',
    "{not json",
  ])("takes knowledge filters, and drops what are none: %s", async (knowledge_filters) => {
    expect((await ask("assistant", "a", { knowledge_filters })).json.status).toBe("COMPLETED");
  });

  test.each(["false", "true"])(
    "with stream_events=false leaves only content (background=%s)",
    async (background) => {
      const frames = await stream("concierge", "hello", { stream_events: "false", background });
      expect(orderOf(frames)).toEqual(["RunContent"]);
    },
  );
});
