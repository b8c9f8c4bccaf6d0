import type { UIMessage } from "ai";
import { afterEach, describe, expect, vi } from "vitest";
import { clientOf } from "../../support/client.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import type { ChatOptions, ChatPage, MountedChat } from "../../support/react/mounted-chat.ts";
import { openReactPage } from "../../support/react/react-page.ts";
import { test } from "../../support/shared-platform.ts";

const until = <T>(check: () => T) => vi.waitFor(check, HANGS_AFTER_MS);

let platform: RunningPlatform;
let opened: Awaited<ReturnType<typeof openReactPage<ChatPage>>>;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  opened = await openReactPage<ChatPage>("test/support/react/pages/use-chat-page.ts");
});

const scopes = ["agents:run", "agents:read", "teams:run", "workflows:run"];
const mounted: MountedChat[] = [];
afterEach(() => {
  for (const one of mounted.splice(0)) one.unmount();
});
type Given = Partial<ChatOptions> & { readonly of?: string };

async function open({ of = "agents/assistant", ...given }: Given = {}) {
  const id = given.id ?? crypto.randomUUID();
  const options = { api: `${platform.url}/${of}/chat`, token: platform.token("maria", scopes), id };
  const root = opened.dom.document.createElement("div");
  const one = opened.page.mountChat(root, { ...options, ...given });
  mounted.push(one);
  await until(() => one.chat());
  const settled = (count: number) =>
    until(() => {
      const { status, messages, error } = one.chat();
      if (error) throw error;
      expect([status, messages.length]).toEqual(["ready", count]);
    });
  const read = async (): Promise<UIMessage[]> => (await maria().get(`/${of}/chat/${id}`)).json;
  return { ...one, id, settled, read, api: options.api };
}
const maria = () => clientOf(platform.url, platform.token("maria", scopes));

const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
const toolsOf = (message: UIMessage | undefined) =>
  (message?.parts ?? []).flatMap((part) => (part.type === "dynamic-tool" ? [part] : []));

describe("useChat", () => {
  test("shows a text as one message with the id of its run, and what it took", async () => {
    const { chat, settled, finished, read, id } = await open();
    await chat().sendMessage({ text: "Hello chat, in words" });
    await settled(2);
    const [question, answer] = chat().messages;
    expect(textOf(answer)).toContain("Hello chat, in words");
    const run_id = answer?.id;
    expect(answer).toMatchObject({
      metadata: { run_id, session_id: id, status: "COMPLETED", usage: { output_tokens: expect.any(Number) } },
    });
    expect(finished).toEqual(["stop"]);
    const again = await read();
    expect(again.map((message) => [message.id, message.role, textOf(message)])).toEqual([
      [question?.id, "user", "Hello chat, in words"],
      [run_id, "assistant", textOf(answer)],
    ]);
  });

  test("shows calls of tools with their results, in the stream and later", async () => {
    const { chat, settled, read } = await open();
    await chat().sendMessage({ text: '[[tool:add_numbers {"a":2,"b":3}]]' });
    await settled(2);
    const shown = {
      ...{ toolName: "add_numbers", state: "output-available", input: { a: 2, b: 3 }, output: "5" },
      providerExecuted: true,
    };
    expect(toolsOf(chat().messages[1])).toMatchObject([shown]);
    expect(toolsOf((await read())[1])).toMatchObject([shown]);
  });

  test.for([true, false])("asks for a decision, and continues as decided: %s", async (approved) => {
    const { chat, settled, read } = await open({ of: "agents/refund-desk" });
    await chat().sendMessage({ text: '[[tool:issue_refund {"order_id":"7","amount":3}]]' });
    await settled(2);
    const [asked] = toolsOf(chat().messages[1]);
    if (asked?.state !== "approval-requested") throw new Error(`the call is ${asked?.state}`);
    expect(toolsOf((await read())[1])).toMatchObject([
      { toolCallId: asked.toolCallId, state: "approval-requested", approval: { id: asked.approval.id } },
    ]);
    await chat().addToolApprovalResponse({ id: asked.approval.id, approved, reason: "as agreed" });
    await until(() => expect(textOf(chat().messages[1])).not.toBe(""));
    await settled(2);
    const state = approved ? "output-available" : "output-denied";
    expect(toolsOf(chat().messages[1])).toMatchObject([{ toolCallId: asked.toolCallId, state }]);
    expect(toolsOf((await read())[1])).toMatchObject([{ toolCallId: asked.toolCallId, state }]);
    expect(textOf((await read())[1])).toBe(textOf(chat().messages[1]));
  });

  test("executes a tool of its own, and the run continues with the output", async () => {
    const tools = [{ name: "open_gate", parameters: { type: "object", properties: {} } }];
    const { chat, settled } = await open({ body: { tools } });
    await chat().sendMessage({ text: '[[tool:open_gate {"gate":"north"}]]' });
    await settled(2);
    const [called] = toolsOf(chat().messages[1]);
    expect(called).toMatchObject({ toolName: "open_gate", state: "input-available" });
    const { toolCallId = "" } = called ?? {};
    await chat().addToolOutput({ tool: "open_gate", toolCallId, output: "it is open" } as never);
    await until(() => expect(textOf(chat().messages[1])).toContain("it is open"));
    await settled(2);
    expect(toolsOf(chat().messages[1])).toMatchObject([{ state: "output-available", output: "it is open" }]);
  });

  test("is loaded again while a run goes on, and has all of its answer once", async () => {
    const { chat, id, read, unmount } = await open();
    void chat().sendMessage({ text: "[[sleep:800]] [[tokens:20]]" });
    await until(() => expect(chat().messages).toHaveLength(2));
    unmount();
    const messages = await read();
    expect(messages.map(({ role }) => role)).toEqual(["user"]);
    const again = await open({ id, messages, resume: true });
    await until(() => expect(again.chat().messages).toHaveLength(2));
    await again.settled(2);
    expect(textOf(again.chat().messages[1])).toContain("word20");
    expect(textOf(again.chat().messages[1])).toBe(textOf((await read())[1]));
  });

  test("has the transport of the package too, which sends one message", async () => {
    const { chat, settled, read, id } = await open({ url: platform.url });
    for (const [at, text] of ["first", "second"].entries()) {
      await chat().sendMessage({ text });
      await settled(2 * (at + 1));
    }
    expect((await read()).map(textOf)).toEqual(chat().messages.map(textOf));
    const again = await open({ id, url: platform.url, messages: chat().messages, resume: true });
    await again.settled(4);
    await again.chat().regenerate();
    await again.settled(4);
    expect((await read())[3]?.id).toBe(again.chat().messages[3]?.id);
    await again.chat().sendMessage({ text: "[[fail:broken]]" });
    await until(() => expect(again.chat().error?.message).toBe("broken"));
  });

  test("leaves a run by the hook's own stop: the run goes on, and its answer is there later", async () => {
    const { chat, id, api, read, settled } = await open();
    void chat().sendMessage({ text: "[[tokens:3]][[sleep:1500]][[tokens:5]]" });
    await until(() => expect(textOf(chat().messages[1])).toContain("word3"));
    await chat().stop();
    await until(() => expect(chat().status).toBe("ready"));
    const [, left] = chat().messages;
    expect(textOf(left)).not.toContain("word5");
    const { status } = await maria().send("GET", `${new URL(api).pathname}/${id}/stream`);
    expect(status).toBe(200);
    await until(async () => expect((await read())[1]?.metadata).toMatchObject({ status: "COMPLETED" }));
    await settled(2);
    expect((await read())[1]).toMatchObject({ id: left?.id, metadata: { status: "COMPLETED" } });
    expect(textOf((await read())[1])).toContain("word5");
    expect(textOf(chat().messages[1])).toBe(textOf(left));
    await chat().sendMessage({ text: "and now?" });
    await settled(4);
    expect(await read()).toHaveLength(4);
  });

  test("leaves a run by its stop; the chat's stop cancels it", async () => {
    const { chat, id, read, settled, finished } = await open();
    void chat().sendMessage({ text: "[[sleep:20000]] long" });
    await until(() => expect(chat().messages).toHaveLength(2));
    expect((await maria().post(`/agents/assistant/chat/${id}/stop`)).status).toBe(200);
    await settled(2);
    expect(finished).toEqual(["interrupted"]);
    expect((await read())[1]).toMatchObject({ metadata: { status: "CANCELLED" } });
  });

  test("has its last answer again, which takes the place of the one before", async () => {
    const { chat, settled, read, id, api } = await open();
    for (const [at, text] of ["first", "second"].entries()) {
      await chat().sendMessage({ text });
      await settled(2 * (at + 1));
    }
    const [, first, , second] = chat().messages;
    await chat().regenerate();
    await settled(4);
    const [, , asked, third] = await read();
    expect([asked?.parts, third?.id]).toEqual([[{ type: "text", text: "second" }], chat().messages[3]?.id]);
    expect([third?.id === second?.id, (await read()).length]).toEqual([false, 4]);
    const json = { id, messages: chat().messages, trigger: "regenerate-message", messageId: first?.id };
    const refused = await maria().post(new URL(api).pathname, { json });
    expect(refused.status).toBe(422);
  });

  test("shows what went wrong", async () => {
    const { chat } = await open();
    await chat().sendMessage({ text: "[[fail:the model is broken]]" });
    await until(() => expect(chat().status).toBe("error"));
    expect(chat().error?.message).toBe("the model is broken");
  });

  test("shows a team with its members, and what a workflow waits for", async () => {
    const team = await open({ of: "teams/support-team" });
    await team.chat().sendMessage({
      text: '[[tool:delegate_task_to_member {"member_id":"assistant","task":"what time is it"}]]',
    });
    await team.settled(2);
    expect(team.chat().messages[1]?.parts).toContainEqual(
      expect.objectContaining({
        type: "data-member",
        data: expect.objectContaining({ status: "completed" }),
      }),
    );
    const workflow = await open({ of: "workflows/publish-report" });
    await workflow.chat().sendMessage({ text: "Hello" });
    await workflow.settled(2);
    expect(workflow.chat().messages[1]?.parts).toContainEqual(
      expect.objectContaining({
        type: "data-interrupt",
        data: expect.objectContaining({ message: "Publish it?" }),
      }),
    );
  });
});
