import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished } from "vitest";
import { type Client, createClient, PlatformError } from "../../../client/index.ts";
import { clientFile, clientSource } from "../../../scripts/generate-client.ts";
import { startBreakingProxy } from "../../support/breaking-proxy.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

test("the operations are those of the route table (npm run client writes them)", () => {
  expect(readFileSync(clientFile, "utf8")).toBe(clientSource());
});

describe("against a platform", () => {
  let platform: RunningPlatform;
  let client: Client;
  test.beforeAll(({ platform: shared }) => {
    platform = shared;
    client = createClient({ baseUrl: platform.url, token: platform.adminToken });
  });

  const path = { agent_id: "assistant" };

  test("a run is waited for, its values encoded as a form carries them", async () => {
    const session_state = { colour: "blue" };
    const run = await client.createAgentRun({ path, body: { message: "hi", session_state } });
    expect(run).toMatchObject({ status: "COMPLETED", content: "You said: hi", session_state });
  });

  test("a stream is read event by event", async () => {
    const events: string[] = [];
    let said = "";
    for await (const { event, data } of client.stream("createAgentRun", { path, body: { message: "hi" } })) {
      events.push(event);
      if (event === "RunContent") said += data.content;
    }
    expect([events[0], events.at(-1), said]).toEqual(["RunStarted", "RunCompleted", "You said: hi"]);
  });

  test("an event that this version does not know keeps its name and its data", async () => {
    const proxy = await startBreakingProxy(platform.url);
    onTestFinished(() => proxy.stop());
    const newer = createClient({ baseUrl: proxy.url, token: platform.adminToken });
    const body = [
      'event: TeaServed\ndata: {"event":"TeaServed","cups":2}\n\n',
      ": a comment\n\n",
      'event: RunContent\ndata: {"event":"RunContent","content":"hi"}\n\n',
    ].join("");
    proxy.breakNext(/runs$/, { status: 200, headers: { "content-type": "text/event-stream" }, body });
    const seen: unknown[] = [];
    for await (const one of newer.stream("createAgentRun", { path, body: { message: "hi" } })) seen.push(one);
    expect(seen).toEqual([
      { event: "UnknownEvent", name: "TeaServed", data: { event: "TeaServed", cups: 2 } },
      { event: "RunContent", data: { event: "RunContent", content: "hi" } },
    ]);
  });

  describe("a caller who leaves", () => {
    const statusOf = async (session_id: string): Promise<unknown> => {
      const [run] = await client.listAgentRuns({ path, query: { session_id } });
      return run?.status;
    };
    const long = () => ({ message: "[[sleep:4000]] late", session_id: crypto.randomUUID() });
    /** What had arrived before is read first. */
    const rest = async (stream: AsyncGenerator<unknown, void>) => {
      for await (const _ of stream);
    };
    type Named = { readonly session_id: string; readonly run_id: string };

    test("by ending the iteration of a stream cancels the run", async () => {
      const body = long();
      for await (const { event } of client.stream("createAgentRun", { path, body })) {
        if (event === "RunStarted") break;
      }
      await expect.poll(() => statusOf(body.session_id)).toBe("CANCELLED");
    });

    test("by the signal of a stream cancels the run, of a team too", async () => {
      const leaving = new AbortController();
      const team = { team_id: "support-team" };
      const stream = client.stream(
        "createTeamRun",
        { path: team, body: { message: "[[sleep:4000]]" } },
        { signal: leaving.signal },
      );
      const first = (await stream.next()).value?.data as Named;
      leaving.abort();
      await expect(rest(stream)).rejects.toThrow("aborted");
      const query = { session_id: first.session_id };
      const status = async () =>
        (await client.getTeamRun({ path: { ...team, run_id: first.run_id }, query })).status;
      await expect.poll(status).toBe("CANCELLED");
    });

    test("by the signal of a call that waits cancels the run, in a session of its own or in one it names", async () => {
      for (const body of [{ message: "[[sleep:4000]] alone" }, long()]) {
        const sessions: string[] = [];
        const watched = createClient({
          baseUrl: platform.url,
          token: platform.adminToken,
          fetch: (url, init) => {
            if (init?.body instanceof URLSearchParams) sessions.push(init.body.get("session_id") ?? "");
            return fetch(url, init);
          },
        });
        const leaving = new AbortController();
        const waiting = watched.createAgentRun({ path, body }, { signal: leaving.signal });
        const refused = expect(waiting).rejects.toThrow("aborted");
        await expect.poll(() => statusOf(sessions[0] ?? "").catch(() => undefined)).toBe("RUNNING");
        leaving.abort();
        await refused;
        await expect.poll(() => statusOf(sessions[0] ?? "")).toBe("CANCELLED");
      }
    });

    test("leaves it running where that is asked for, and in the background always", async () => {
      const asked = [
        { body: { ...long(), message: "[[sleep:1200]] a" }, onLeave: "go-on" as const },
        { body: { ...long(), message: "[[sleep:1200]] b", background: true } },
      ];
      for (const { body, ...options } of asked) {
        const leaving = new AbortController();
        const stream = client.stream(
          "createAgentRun",
          { path, body },
          { ...options, signal: leaving.signal },
        );
        await stream.next();
        leaving.abort();
        await expect(rest(stream)).rejects.toThrow("aborted");
        await expect.poll(() => statusOf(body.session_id)).toBe("COMPLETED");
      }
    });

    test("after a pause leaves the run to its answer", async () => {
      const body = { ...long(), message: '[[tool:pay_invoice {"invoice_id":"7","amount":1}]]' };
      const desk = { agent_id: "front-desk" };
      for await (const { event } of client.stream("createAgentRun", { path: desk, body })) {
        if (event === "RunPaused") break;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
      const [run] = await client.listAgentRuns({ path: desk, query: { session_id: body.session_id } });
      expect(run?.status).toBe("PAUSED");
    });

    test("of two runs with the same message in one session, none is taken for the other", async () => {
      const body = long();
      const leaving = new AbortController();
      const left = client.createAgentRun({ path, body }, { signal: leaving.signal });
      const stays = client.createAgentRun({ path, body });
      const live = async () =>
        (await client.listAgentRuns({ path, query: { session_id: body.session_id, status: "RUNNING" } }))
          .length;
      await expect.poll(live).toBe(2);
      leaving.abort();
      await expect(left).rejects.toThrow("aborted");
      expect(await stays).toMatchObject({ status: "COMPLETED" });
    });
  });

  test("files travel as parts of a form", async () => {
    const files = [new File(["The answer is 42."], "answer.txt", { type: "text/plain" })];
    const run = await client.createAgentRun({ path, body: { message: "read it", files } });
    expect(JSON.stringify(run)).toContain("answer.txt");
  });

  test("JSON, queries, lists and empty answers work", async () => {
    const { session_id } = await client.createSession({ body: { session_name: "the client's" } });
    const { data } = await client.listSessions({ query: { session_name: "the client's", limit: 5 } });
    expect(data.map((one) => one.session_id)).toEqual([session_id]);
    expect(await client.removeSession({ path: { session_id } })).toBeUndefined();
    expect(await client.listAgents()).toContainEqual(expect.objectContaining({ id: "assistant" }));
  });

  test("a refusal is thrown with its status, its code and the request's id", async () => {
    const asked = client.getSession({ path: { session_id: "unknown" } });
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ status: 404, code: "NOT_FOUND", requestId: expect.any(String) });
  });

  test("a token may be asked for before every request", async () => {
    let asked = 0;
    const token = async () => {
      asked += 1;
      return platform.adminToken;
    };
    const renewed = createClient({ baseUrl: `${platform.url}/`, token });
    await renewed.listAgents();
    await renewed.listTeams();
    expect(asked).toBe(2);
  });
});
