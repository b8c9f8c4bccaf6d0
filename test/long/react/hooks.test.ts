import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test as plain, vi } from "vitest";
import { clientOf } from "../../support/client.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import type { HooksPage } from "../../support/react/mounted-hooks.ts";
import { openReactPage } from "../../support/react/react-page.ts";
import { test } from "../../support/shared-platform.ts";

const until = <T>(check: () => T) => vi.waitFor(check, HANGS_AFTER_MS);

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

type Request = { readonly method: string; readonly path: string; readonly signal: AbortSignal | undefined };
const scopes = ["agents:run", "agents:read", "approvals:read", "approvals:write", "sessions:read"];

describe.each([18, 19] as const)("the hooks with React %i, in StrictMode", (version) => {
  async function open(agent = "assistant", user = `user-${crypto.randomUUID()}`, isApprover = false) {
    const { page, dom } = await openReactPage<HooksPage>("test/support/react/pages/hooks-page.ts", version);
    const requests: Request[] = [];
    const warned = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const counted: typeof fetch = (input, init) => {
      const path = new URL(String(input)).pathname;
      requests.push({ method: init?.method ?? "GET", path, signal: init?.signal ?? undefined });
      return fetch(input, init);
    };
    const session = crypto.randomUUID();
    const token = platform.token(user, isApprover ? ["platform:admin"] : scopes);
    const options = { url: platform.url, token, user, session, mine: !isApprover, fetch: counted };
    const mounted = page.mountHooks(dom.document.createElement("div"), {
      ...options,
      component: { agent_id: agent },
    });
    await until(() => mounted.shown());
    const sent = () => requests.filter(({ method, path }) => method === "POST" && path.endsWith("/runs"));
    const maria = clientOf(platform.url, token);
    return { ...mounted, requests, sent, warned, session, maria };
  }

  test("send one run, and show what it says", async () => {
    const { shown, sent, warned, unmount, maria, session } = await open();
    await shown().agent.send("Hello hooks, in words");
    await until(() => expect(shown().agent.status).toBe("ready"));
    const { messages, run } = shown().agent;
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(messages[1]).toMatchObject({ id: run?.run_id, text: expect.stringContaining("Hello hooks") });
    await shown().agent.send("And again");
    await until(() => expect(shown().agent.messages).toHaveLength(4));
    expect(sent()).toHaveLength(2);
    const { json } = await maria.get(`/agents/assistant/runs?session_id=${session}`);
    expect(json).toHaveLength(2);
    unmount();
    expect(warned.mock.calls).toEqual([]);
  });

  test("stop a run, and say why one has failed", async () => {
    const { shown, unmount } = await open();
    const sending = shown().agent.send("[[sleep:20000]] long");
    await until(() => expect(shown().agent.run).toBeDefined());
    await shown().agent.stop();
    await sending;
    await until(() => expect(shown().agent.run?.status).toBe("CANCELLED"));
    expect(shown().agent.status).toBe("ready");
    await shown().agent.send("[[fail:broken]]");
    await until(() => expect(shown().agent.error?.message).toBe("broken"));
    unmount();
  });

  test("leave a run when they are unmounted, cancel nothing, and keep no connection", async () => {
    const { shown, requests, unmount, maria, session } = await open();
    void shown().agent.send("[[sleep:700]] to the end");
    await until(() => expect(shown().agent.run).toBeDefined());
    const run = { agent_id: "assistant", session_id: session, run_id: shown().agent.run?.run_id ?? "" };
    unmount();
    const streams = requests.filter(({ signal }) => signal);
    expect(streams.map(({ signal }) => signal?.aborted)).toEqual(streams.map(() => true));
    expect(requests.filter(({ path }) => path.endsWith("/cancel"))).toEqual([]);
    expect(await maria.settled(run)).toMatchObject({ status: "COMPLETED" });
  });

  test("follow a run, each event once, and again behind the last one", async () => {
    const { shown, follow, requests, unmount, maria, session } = await open();
    const accepted = await maria.submit("[[sleep:300]] followed, in words", { session_id: session });
    const address = { agent_id: "assistant", ...accepted };
    follow(address);
    await until(() => expect(shown().followed.run?.status).toBe("COMPLETED"));
    const indices = shown().followed.events.map(({ data }) => data.event_index);
    expect(indices).toEqual(indices.map((_, at) => at));
    expect(shown().followed.text).toContain("followed, in words");
    await until(() => expect(shown().followed.connected).toBe(false));
    follow();
    await until(() => expect(shown().followed.events).toEqual([]));
    expect(requests.filter(({ path }) => path.endsWith("/cancel"))).toEqual([]);
    unmount();
  });

  test("show approvals that wait, and take decisions", async () => {
    const { shown, unmount } = await open("account-desk");
    await shown().agent.send('[[tool:close_account {"account":"K-7"}]]');
    await until(() => expect(shown().agent.status).toBe("paused"));
    await shown().approvals.refresh();
    await until(() => expect(shown().approvals.items).toHaveLength(1));
    const [item] = shown().approvals.items;
    expect(item?.run_id).toBe(shown().agent.run?.run_id);
    // Who asks may not decide here: the refusal is the caller's, and the approval still waits.
    await expect(shown().approvals.approve(item?.id ?? "")).rejects.toThrow();
    expect(shown().approvals.items).toHaveLength(1);
    unmount();
  });

  test.each([
    ["approve", true],
    ["reject", false],
  ] as const)("have an approver decide, by which the run goes on: %s", async (decision, isClosed) => {
    const desk = await open("account-desk");
    await desk.shown().agent.send('[[tool:close_account {"account":"K-8"}]]');
    await until(() => expect(desk.shown().agent.status).toBe("paused"));
    const run_id = desk.shown().agent.run?.run_id ?? "";
    const approver = await open("account-desk", "approver", true);
    await approver.shown().approvals.refresh();
    const asked = () => approver.shown().approvals.items.find((item) => item.run_id === run_id);
    await until(() => expect(asked()).toBeDefined());
    await approver.shown().approvals[decision](asked()?.id ?? "");
    await until(() => expect(asked()).toBeUndefined());
    desk.follow({ agent_id: "account-desk", run_id, session_id: desk.session });
    await until(() => expect(desk.shown().followed.run?.status).toBe("COMPLETED"));
    const said = JSON.stringify(desk.shown().followed.events);
    expect(said.includes("Account K-8 is closed.")).toBe(isClosed);
    desk.unmount();
    approver.unmount();
  });
});

plain("the hooks are small: 6 KB with gzip, beside React and the client", async () => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../../../react/index.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    external: ["react"],
    logLevel: "error",
  });
  const code = outputFiles[0]?.text ?? "";
  expect(gzipSync(code).length).toBeLessThan(6 * 1024);
  const imported = new Set([...code.matchAll(/from"([^"]+)"/g)].map(([, name]) => name));
  expect([...imported]).toEqual(["react"]);
});
