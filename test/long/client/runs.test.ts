import { beforeEach, describe, expect, onTestFinished } from "vitest";
import { type AgentEvent, type Client, createClient, RunGoesOnError } from "../../../client/index.ts";
import { type BreakingProxy, startBreakingProxy } from "../../support/breaking-proxy.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

const agent = { agent_id: "assistant" };

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});
let proxy: BreakingProxy;
let client: Client;
/** Not by way of the proxy. */
let direct: Client;
beforeEach(async () => {
  proxy = await startBreakingProxy(platform.url);
  onTestFinished(() => proxy.stop());
  const token = platform.adminToken;
  client = createClient({ baseUrl: proxy.url, token });
  direct = createClient({ baseUrl: platform.url, token });
});

async function collect<E>(events: AsyncIterable<E>): Promise<E[]> {
  const all: E[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const said = (events: readonly AgentEvent[]): string =>
  events.map((one) => (one.event === "RunContent" ? one.data.content : "")).join("");
const names = (events: readonly { readonly event: string }[]) => events.map(({ event }) => event);
const fifty = "[[tokens:50]]";
const requestsTo = (pattern: RegExp) => proxy.requests.filter(({ line }) => pattern.test(line)).length;

describe("runs.wait", () => {
  const accept = (message: string, asked = client) =>
    asked.createAgentRun({ path: agent, body: { message, background: true } });

  test("polls a background run until it has ended", async () => {
    const accepted = await accept("[[sleep:900]] later");
    expect(accepted).toEqual({
      run_id: expect.any(String),
      session_id: expect.any(String),
      status: "PENDING",
    });
    const run = await client.runs.wait({ ...agent, ...accepted });
    expect(run).toMatchObject({ status: "COMPLETED", run_id: accepted.run_id });
    // 250 ms at first, then longer: a run of a second is not asked for every few milliseconds.
    expect(requestsTo(/^GET /)).toBeLessThan(15);
  });

  test("a run that pauses is answered, and one of a workflow too", async () => {
    const desk = { agent_id: "front-desk" };
    const message = '[[tool:pay_invoice {"invoice_id":"9","amount":1}]]';
    const asked = await client.createAgentRun({ path: desk, body: { message, background: true } });
    expect(await client.runs.wait({ ...desk, ...asked })).toMatchObject({ status: "PAUSED" });

    const [workflow] = await client.listWorkflows();
    const path = { workflow_id: workflow?.id ?? "" };
    const flow = await client.createWorkflowRun({ path, body: { message: "tides", background: true } });
    const run = await client.runs.wait({ ...path, ...flow });
    expect(run.workflow_id).toBe(path.workflow_id);
  });

  test("faults that pass are waited out", async () => {
    const accepted = await accept("[[sleep:300]] through a storm");
    proxy.breakNext(/^GET /, { cutAfter: -1 }, { status: 503 }, { cutAfter: 0 }, { status: 429 });
    const run = await client.runs.wait({ ...agent, ...accepted });
    expect(run.status).toBe("COMPLETED");
    expect(requestsTo(/^GET /)).toBeGreaterThan(4);
  });

  test("after its time it says that the run goes on, and the run does", async () => {
    const accepted = await accept("[[sleep:1500]] slow");
    const waiting = client.runs.wait({ ...agent, ...accepted }, { timeoutMs: 300 });
    const error = await waiting.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RunGoesOnError);
    expect(error).toMatchObject({ run: { ...agent, run_id: accepted.run_id } });
    if (!(error instanceof RunGoesOnError)) throw error;
    expect(await client.runs.wait(error.run)).toMatchObject({ status: "COMPLETED" });
  });

  test("a signal ends it with the signal's own reason, and the run goes on", async () => {
    const accepted = await accept("[[sleep:800]] left");
    const reason = new Error("no patience");
    const leaving = new AbortController();
    const waiting = client.runs.wait({ ...agent, ...accepted }, { signal: leaving.signal });
    setTimeout(() => leaving.abort(reason), 100);
    await expect(waiting).rejects.toBe(reason);
    expect(await client.runs.wait({ ...agent, ...accepted })).toMatchObject({ status: "COMPLETED" });
  });

  test("a refusal is thrown at once", async () => {
    const waiting = client.runs.wait({ ...agent, run_id: "unknown", session_id: "unknown" });
    await expect(waiting).rejects.toMatchObject({ status: 404 });
  });
});

describe("a call that waits", () => {
  test("answers the whole run where the platform answers that it goes on", async () => {
    // What the platform does after 50 s, it does at once for a run in the background.
    const impatient = createClient({
      baseUrl: platform.url,
      token: platform.adminToken,
      fetch: (url, init) => {
        if (init?.body instanceof URLSearchParams) init.body.set("background", "true");
        return fetch(url, init);
      },
    });
    const run = await impatient.createAgentRun({ path: agent, body: { message: "[[sleep:400]] late" } });
    expect(run).toMatchObject({ status: "COMPLETED", content: "You said: late" });
  });
});

describe.each([
  { mode: "in the foreground", background: false },
  { mode: "in the background", background: true },
])("runs.stream $mode", ({ background }) => {
  test("gives every event once, in order, without a broken connection", async () => {
    const events = await collect(client.runs.stream(agent, { message: fifty, background }));
    expect(names(events).at(0)).toBe("RunStarted");
    expect(names(events).at(-1)).toBe("RunCompleted");
    expect(requestsTo(/resume/)).toBe(0);
  });

  test("gives the same over connections that break at any place", async () => {
    const whole = await collect(direct.runs.stream(agent, { message: fifty, background }));
    for (const bytes of [1, 400, 1_234, 3_000, 5_001]) {
      proxy.breakNext(/\/runs$/, bytes % 2 === 0 ? { cutAfter: bytes } : { endAfter: bytes });
      proxy.breakNext(
        /\/resume/,
        ...[{ cutAfter: -1 }, { cutAfter: 700 }, { endAfter: 900 }, { status: 503 }, { cutAfter: 2_500 }],
        ...[{ endAfter: 150 }, { endAfter: 3_000 }],
      );
      const events = await collect(client.runs.stream(agent, { message: fifty, background }));
      expect(names(events)).toEqual(names(whole));
      expect(said(events)).toBe(said(whole));
    }
    expect(requestsTo(/POST .*\/runs$/)).toBeGreaterThanOrEqual(5);
  });

  test("a start whose answer was lost is not a second run", async () => {
    const session_id = background ? crypto.randomUUID() : undefined;
    proxy.breakNext(/\/runs$/, { cutAfter: 0 });
    const form = { message: "once [[sleep:300]]", background, ...(session_id && { session_id }) };
    const events = await collect(client.runs.stream(agent, form));
    const first = events[0];
    if (first?.event !== "RunStarted") throw new Error(`it began with ${first?.event}`);
    expect(names(events).at(-1)).toBe("RunCompleted");
    const runs = await direct.listAgentRuns({ path: agent, query: { session_id: first.data.session_id } });
    expect(runs).toHaveLength(1);
  });
});

describe.each([
  { mode: "in the foreground", background: false },
  { mode: "in the background", background: true },
])("runs.continue $mode", ({ background }) => {
  const desk = { agent_id: "front-desk" };
  const paused = async () => {
    const message = '[[tool:pay_invoice {"invoice_id":"7","amount":1}]][[tokens:20]]';
    const asked = await direct.createAgentRun({ path: desk, body: { message, background } });
    const run = { ...desk, run_id: asked.run_id, session_id: asked.session_id };
    const { tools = [] } = await direct.runs.wait(run);
    return { run, form: { tools: tools.map((tool) => ({ ...tool, confirmed: true })), background } };
  };

  test("gives the events from the pause on, each once, whatever breaks", async () => {
    for (const faults of [
      [],
      [{ cutAfter: -1 }],
      [{ cutAfter: 0 }],
      [{ cutAfter: -1 }, { cutAfter: 0 }],
      [{ cutAfter: 400 }],
      [{ endAfter: 1_500 }],
    ]) {
      const { run, form } = await paused();
      const before = await collect(direct.runs.follow(run));
      proxy.breakNext(/\/continue$/, ...faults);
      const events = await collect(client.runs.continue(run, form));
      expect(names(events).at(0)).toBe("RunContinued");
      expect(names(events).at(-1)).toBe("RunCompleted");
      const whole = await collect(direct.runs.follow(run));
      expect([...names(before), ...names(events)]).toEqual(names(whole));
      expect(names(whole).filter((name) => name === "RunContinued")).toHaveLength(1);
    }
  });

  test("a refusal is thrown", async () => {
    const { run, form } = await paused();
    const events = client.runs.continue({ ...run, run_id: crypto.randomUUID() }, form);
    await expect(collect(events)).rejects.toMatchObject({ status: 404 });
    const unanswered = form.tools.map((tool) => ({ ...tool, tool_call_id: "unknown" }));
    await expect(collect(client.runs.continue(run, { ...form, tools: unanswered }))).rejects.toMatchObject({
      status: 409,
    });
  });
});

describe("runs.stream", () => {
  // Its pauses are random, and may add up to 48 s.
  test("gives up after ten failures, and says how to go on from the last event", async () => {
    const form = { message: `${fifty} [[sleep:1500]]`, background: true };
    const empty = { status: 200, headers: { "content-type": "text/event-stream" }, body: "" };
    const always = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? { cutAfter: -1 } : empty));
    proxy.breakNext(/\/runs$/, { cutAfter: 2_000 });
    proxy.breakNext(/\/resume/, ...always);
    const seen: AgentEvent[] = [];
    const following = (async () => {
      for await (const event of client.runs.stream(agent, form)) seen.push(event);
    })();
    const error = await following.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RunGoesOnError);
    if (!(error instanceof RunGoesOnError)) throw error;
    expect(error.message).toMatch(/goes on.*runs\.follow\(error\.run, \{ lastEventIndex: \d+ \}\)/);
    expect(error.lastEventIndex).toBe(seen.length - 1);

    const rest = await collect(direct.runs.follow(error.run, { lastEventIndex: seen.length - 1 }));
    const whole = await collect(direct.runs.follow(error.run));
    expect([...names(seen), ...names(rest)]).toEqual(names(whole));
  });

  test("where nothing listens, it says so soon", async () => {
    const lost = createClient({ baseUrl: "http://127.0.0.1:1", token: "none" });
    for (const background of [true, false]) {
      await expect(collect(lost.runs.stream(agent, { message: "hi", background }))).rejects.toThrow(
        "fetch failed",
      );
    }
  });

  test("a refusal is thrown at once, and a refused form is its only event", async () => {
    await expect(
      collect(client.runs.stream({ agent_id: "unknown" }, { message: "hi" })),
    ).rejects.toMatchObject({
      status: 404,
    });
    expect(requestsTo(/runs/)).toBe(1);
  });

  test("ended early, it cancels a run in the foreground, also after it was resumed", async () => {
    proxy.breakNext(/\/runs$/, { cutAfter: 350 });
    const ids: { run_id: string; session_id: string }[] = [];
    for await (const one of client.runs.stream(agent, { message: "[[sleep:4000]] late" })) {
      if (one.event === "RunStarted") ids.push(one.data);
      if (requestsTo(/resume/) > 0 || one.event === "ModelRequestStarted") break;
    }
    const [{ run_id, session_id } = { run_id: "", session_id: "" }] = ids;
    const status = async () =>
      (await direct.getAgentRun({ path: { ...agent, run_id }, query: { session_id } })).status;
    await expect.poll(status).toBe("CANCELLED");
  });

  test("ended early, it leaves a run in the background, and one that is to go on", async () => {
    for (const options of [{ background: true }, { background: false, onLeave: "go-on" as const }]) {
      const { background, onLeave = "cancel" } = options;
      const form = { message: "[[sleep:900]] stays", background };
      for await (const one of client.runs.stream(agent, form, { onLeave })) {
        if (one.event !== "RunStarted") continue;
        const { run_id, session_id } = one.data;
        expect(await direct.runs.wait({ ...agent, run_id, session_id })).toMatchObject({
          status: "COMPLETED",
        });
        break;
      }
    }
  });

  test("a run that pauses ends it", async () => {
    const message = '[[tool:pay_invoice {"invoice_id":"8","amount":1}]]';
    const events = await collect(client.runs.stream({ agent_id: "front-desk" }, { message }));
    expect(names(events).at(-1)).toBe("RunPaused");
  });

  test("a run that is followed after its end gives its events, and none after the last one", async () => {
    const accepted = await client.createAgentRun({ path: agent, body: { message: "hi", background: true } });
    const address = { ...agent, ...accepted };
    await client.runs.wait(address);
    const events = await collect(client.runs.follow(address));
    expect(said(events)).toBe("You said: hi");
    expect(await collect(client.runs.follow(address, { lastEventIndex: events.length - 1 }))).toEqual([]);
  });

  test("teams and workflows are streamed with the events of the runs within them", async () => {
    const team = await collect(client.runs.stream({ team_id: "support-team" }, { message: "hi" }));
    expect(team.at(-1)?.event).toBe("TeamRunCompleted");
    const [workflow] = await client.listWorkflows();
    proxy.breakNext(/\/runs$/, { cutAfter: 900 });
    const flow = await collect(client.runs.stream({ workflow_id: workflow?.id ?? "" }, { message: "tides" }));
    expect(flow[0]?.event).toBe("WorkflowStarted");
    expect(["WorkflowCompleted", "WorkflowPaused", "WorkflowRunOutput"]).toContain(flow.at(-1)?.event);
  });
});
