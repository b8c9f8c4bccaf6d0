import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { earlierUserId, hiddenUserId } from "../../../shared/chat/whatsapp/hidden-user-id.ts";
import { recordAnswering } from "../../../shared/stores/chats/chat.ts";
import { artist, exhibiting } from "../../support/chat-platforms/artist.ts";
import { type Bot, startBot } from "../../support/chat-platforms/bot-server.ts";
import { type Graph, startGraph, whatsappMessage } from "../../support/chat-platforms/graph-server.ts";
import { type ChatWorld, chatWorld } from "../../support/chat-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let graph: Graph;
let bot: Bot;
let world: ChatWorld;
let numbers = 15_550_000;
/** A new user for each test. */
let ada: string;
beforeAll(async () => {
  [stores, graph, bot] = await Promise.all([startStores(), startGraph(), startBot()]);
  world = chatWorld(stores.db, graph, bot);
});
beforeEach(() => {
  ada = String(numbers++);
  graph.refusals.length = 0;
});
afterAll(async () => {
  await Promise.all([stores?.stop(), graph?.stop(), bot?.stop()]);
});

const worldWith = (whatsapp: Record<string, unknown>, secrets = {}) =>
  chatWorld(stores.db, graph, bot, { whatsapp, secrets });
const text = (body: string, more = {}) => whatsappMessage({ from: ada, text: { body }, ...more });
const send = async (payload: unknown, at = world): Promise<string[]> => {
  expect((await at.whatsapp(payload)).json).toEqual({ status: "ok" });
  await at.settle();
  return graph.textsTo(ada);
};
const file = (id: string, bytes: string | Buffer, mime_type: string, claims?: number): void => {
  graph.files.set(id, { bytes: Buffer.from(bytes), mime_type, ...(claims && { claims }) });
};
const inputs = async (at = world) => (await at.jobsOf(ada)).map(({ payload }) => payload.input);

describe("a text", () => {
  test("is shown as read and as being answered, then answered without a preview", async () => {
    const payload = text("Hello");
    await send(payload);
    const [typed] = graph.typing.slice(-1);
    expect(typed?.body).toMatchObject({ status: "read", typing_indicator: { type: "text" } });
    expect(JSON.stringify(payload)).toContain(typed?.body.message_id);
    expect(graph.sent.at(-1)?.body).toEqual({
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: ada,
      type: "text",
      text: { preview_url: false, body: "You said: Hello" },
    });
  });
  test("belongs to the conversation of its number, and the next one continues it", async () => {
    await send(text("one"));
    await send(text("two"));
    const sessions = (await world.jobsOf(ada)).map(({ session_id }) => session_id);
    expect(sessions).toEqual([`wa:assistant:${ada}`, `wa:assistant:${ada}`]);
  });
  test("that is delivered again ten minutes later, to another process, is not answered twice", async () => {
    const payload = text("once");
    await send(payload);
    world.clock.advance(600_000);
    world.queue.forget();
    expect(await send(payload, worldWith({}))).toEqual(["You said: once"]);
  });
  test("that is a day old is not answered: the window is closed", async () => {
    const timestamp = String(Math.floor(Date.now() / 1000) - 86_000);
    expect(await send(text("late", { timestamp }))).toEqual([]);
    expect(await inputs()).toEqual([]);
  });
  test("of a user without a number is answered by the id", async () => {
    const hidden = `US.${ada}`;
    await world.whatsapp(whatsappMessage({ from: undefined, from_user_id: hidden, text: { body: "hi" } }));
    await world.settle();
    expect(graph.sent.at(-1)?.body).toMatchObject({ recipient: hidden, text: { body: "You said: hi" } });
    expect(graph.sent.at(-1)?.body.to).toBeUndefined();
    expect(await world.jobsOf(hidden)).toHaveLength(1);
  });
  test("of a number under encryption leaves no number on record, and is answered to the number", async () => {
    const hiding = worldWith({ enable_encryption: true }, { WHATSAPP_ENCRYPTION_KEY: "0f".repeat(32) });
    await send(text("one"), hiding);
    expect(await send(text("two"), hiding)).toHaveLength(2);
    const messages = (await world.messages()).filter(({ target }) => target.to === ada);
    const owners = new Set(messages.map(({ owner }) => owner));
    expect(owners.size).toBe(1);
    const jobs = await world.jobsOf([...owners][0]);
    expect(jobs).toHaveLength(2);
    expect(JSON.stringify(jobs.map(({ session_id, user_id }) => [session_id, user_id]))).not.toContain(ada);
  });
  test("of a conversation that an earlier release hid goes on in it", async () => {
    const key = "0f".repeat(32);
    const [now, before] = [hiddenUserId(ada, key), earlierUserId(ada, key)];
    const hiding = worldWith({ enable_encryption: true }, { WHATSAPP_ENCRYPTION_KEY: key });
    await send(text("new"), hiding);
    const hidden = (await world.messages()).find(({ owner }) => owner.includes(now));

    const scope = String(hidden?.scope).replace(now, before);
    await recordAnswering(stores.db, scope, "an earlier message");
    await send(text("again"), hiding);
    expect((await world.messages()).map((message) => message.scope)).toContain(scope);
    expect(await world.jobsOf(String(hidden?.owner).replace(now, before))).toHaveLength(1);
  });
});

describe("a run is started with", () => {
  const dependenciesOf = async () => (await world.jobsOf(ada))[0]?.payload.kwargs.dependencies;
  test("the number and the message where that is switched on", async () => {
    await send(text("who am I?"), worldWith({ send_user_number_to_context: true }));
    expect(await dependenciesOf()).toEqual({ user_number: ada, message_id: expect.stringMatching(/^wamid/) });
  });
  test("nothing of it otherwise", async () => {
    await send(text("who am I?"));
    expect(await dependenciesOf()).toBeUndefined();
  });
});

describe("what is no text", () => {
  test("is read where it is a button, an answer of a list, a template's button or a place", async () => {
    const reply = (interactive: object) => whatsappMessage({ from: ada, type: "interactive", interactive });
    await send(reply({ type: "button_reply", button_reply: { id: "b", title: "Yes please" } }));
    await send(reply({ type: "list_reply", list_reply: { id: "l", title: "Tea" } }));
    await send(reply({ type: "list_reply", list_reply: { id: "l", title: "Tea", description: "green" } }));
    await send(whatsappMessage({ from: ada, type: "button", button: { text: "Order again" } }));
    const location = { latitude: 1.5, longitude: 2, name: "Harbour", address: "Pier 3" };
    await send(whatsappMessage({ from: ada, type: "location", location }));
    expect(await inputs()).toEqual([
      "Yes please",
      "Tea",
      "Tea: green",
      "Order again",
      "Location: Harbour, Pier 3 (1.5, 2)",
    ]);
  });
  test("is refused in words where it cannot be read, without a run", async () => {
    expect(await send(whatsappMessage({ from: ada, type: "contacts", contacts: [] }))).toEqual([
      "I can't read contacts messages yet.",
    ]);
    expect(await inputs()).toEqual([]);
  });
});

describe("a file", () => {
  const given = async () => (await world.runsOf(ada))[0]?.output.input;
  test("is fetched with our token and given to the run with its caption", async () => {
    file("m-1", "PNG", "image/png");
    await send(whatsappMessage({ from: ada, type: "image", image: { id: "m-1", caption: "What is this?" } }));
    expect(await given()).toMatchObject({
      input_content: "What is this?",
      images: [{ mime_type: "image/png", object: { bytes: 3 } }],
    });
  });
  test("keeps its name as a document, and a voice message is a recording", async () => {
    file("m-2", "PDF", "application/pdf");
    await send(
      whatsappMessage({ from: ada, type: "document", document: { id: "m-2", filename: "bill.pdf" } }),
    );
    file("m-3", "OGG", "audio/ogg; codecs=opus");
    await send(whatsappMessage({ from: ada, type: "audio", audio: { id: "m-3" } }));
    const [first, second] = (await world.runsOf(ada)).map((run) => run.output.input);
    expect(first.files).toMatchObject([{ filename: "bill.pdf", mime_type: "application/pdf" }]);
    expect(second.audios).toMatchObject([{ mime_type: "audio/ogg" }]);
  });
  test("that cannot be fetched is announced, without its address, and the run goes on", async () => {
    await send(whatsappMessage({ from: ada, type: "image", image: { id: "gone", caption: "Look" } }));
    expect(await inputs()).toEqual(["[The image could not be fetched]\nLook"]);
  });
  test("that is on a host that is not the platform's is not fetched", async () => {
    const before = graph.fetched.length;
    graph.files.set("m-evil", { bytes: Buffer.from("x"), mime_type: "image/png" });
    const closed = worldWith({ api_url: graph.url.replace("127.0.0.1", "localhost"), media_hosts: [] });
    await send(
      whatsappMessage({ from: ada, type: "image", image: { id: "m-evil", caption: "Look" } }),
      closed,
    );
    expect(graph.fetched.length).toBe(before);
    expect(await inputs()).toEqual(["[The image could not be fetched]\nLook"]);
  });
  test("that is too large is refused in words: by what is said of it, and else while it comes", async () => {
    file("m-4", "small", "image/png", 30_000_000);
    file("m-5", Buffer.alloc(1_200_000), "image/png", 10);
    const narrow = worldWith({ media_max_mb: 1 });
    await send(whatsappMessage({ from: ada, type: "image", image: { id: "m-4" } }), narrow);
    expect(graph.fetched).not.toContain("m-4");
    const said = await send(whatsappMessage({ from: ada, type: "image", image: { id: "m-5" } }), narrow);
    const refusal = "This file is larger than 1 MB. Please send a smaller one.";
    expect(said).toEqual([refusal, refusal]);
    expect(await inputs()).toEqual([]);
  });
});

describe("/new", () => {
  test("begins another conversation without a run, in any case and with blanks around", async () => {
    await send(text("old"));
    const said = await send(text(" /NEW "));
    expect(said.at(-1)).toBe("Fresh start: I no longer look at what we wrote before.");
    await send(text("fresh"));
    const sessions = (await world.jobsOf(ada)).map(({ session_id }) => session_id);
    expect(sessions).toEqual([
      `wa:assistant:${ada}`,
      expect.stringMatching(new RegExp(`^wa:assistant:${ada}:[0-9a-f]{8}$`)),
    ]);
  });
  test("of one person leaves another's conversation alone, and /newer is a text like any other", async () => {
    const grace = ada;
    await send(text("mine"));
    ada = String(numbers++);
    await send(text("/new"));
    await send(text("/newer"));
    expect(await inputs()).toEqual(["/newer"]);
    await world.whatsapp(whatsappMessage({ from: grace, text: { body: "still mine" } }));
    await world.settle();
    const sessions = (await world.jobsOf(grace)).map(({ session_id }) => session_id);
    expect(new Set(sessions)).toEqual(new Set([`wa:assistant:${grace}`]));
  });
});

describe("an answer", () => {
  test("that fails is one general text, without its reason", async () => {
    expect(await send(text("[[fail:the password is 1234]]"))).toEqual([
      "That did not work. Please send it again in a moment.",
    ]);
  });
  test("is held up for as long as the platform says, and then sent", async () => {
    graph.refusals.push(131056, 130429);
    await world.whatsapp(text("patience"));
    await world.settle(1_000);
    expect(graph.textsTo(ada)).toEqual(["You said: patience"]);
  });
  test("is not tried again when the window is closed", async () => {
    graph.closedTo.add(ada);
    const before = graph.sent.length;
    await send(text("too late"));
    expect(graph.sent.length).toBe(before);
    expect((await world.messages()).filter(({ target }) => target.to === ada)).toMatchObject([
      { status: "done" },
    ]);
  });
  test("that takes long is announced every 20 seconds", async () => {
    const before = graph.typing.length;
    // A busy machine moves the clock on less often in the same time.
    await world.whatsapp(text("[[sleep:2500]]"));
    await world.settle(500);
    const typed = graph.typing.slice(before);
    expect(typed.length).toBeGreaterThan(2);
    expect(graph.textsTo(ada)).toHaveLength(1);
  });
});

describe("files of an answer", () => {
  const studio = () =>
    chatWorld(stores.db, graph, bot, { whatsapp: { component: "agents/artist" }, agents: [artist] });
  const sentTo = (to: string) =>
    graph.sent.filter(({ body }) => body.to === to).map(({ body }) => [body.type, body[body.type]]);
  const id = expect.stringMatching(/^up-/);

  test("are uploaded and sent by their ids before the text, with a caption under the first", async () => {
    await send(text(exhibiting("png", "webp", "fake", "mp4", "pdf", "mp3")), studio());
    expect(sentTo(ada)).toEqual([
      ["image", { id, caption: expect.stringMatching(/^red r+\.\.\.$/) }],
      ["document", { id, filename: "blue.webp" }],
      ["document", { id, filename: "fake.png" }],
      ["video", { link: "https://videos.example/v.mp4" }],
      ["document", { id, filename: "bill.pdf" }],
      ["audio", { id }],
      ["text", { preview_url: false, body: expect.stringContaining("There you are.") }],
    ]);
    expect(graph.uploads.slice(-5).map(({ type }) => type)).toEqual([
      "image/png",
      "image/webp",
      "image/png",
      "application/pdf",
      "audio/mpeg",
    ]);
    expect(
      graph.sent.findLast(({ body }) => body.to === ada && body.type === "image")?.body.image.caption,
    ).toHaveLength(1024);
  });
  test("that are refused do not keep the others from being sent", async () => {
    graph.refusals.push(131053);
    await send(text(exhibiting("png", "pdf")), studio());
    expect(sentTo(ada).map(([type]) => type)).toEqual(["document", "text"]);
  });
});

describe("what an agent sends itself", () => {
  const studio = () =>
    chatWorld(stores.db, graph, bot, { whatsapp: { component: "agents/artist" }, agents: [artist] });
  const asking = '[[tool:send_reply_buttons {"text":"Tea?","buttons":["Yes","No"]}]]';
  const sentTo = (to: string) => graph.sent.filter(({ body }) => body.to === to).map(({ body }) => body);

  test("is sent in its place, without the text of the answer", async () => {
    await send(text(`${asking}[[tool:send_reaction {"emoji":"👍"}]]`), studio());
    expect(sentTo(ada)).toMatchObject([
      {
        type: "interactive",
        interactive: {
          type: "button",
          body: { text: "Tea?" },
          action: { buttons: [{ reply: { title: "Yes" } }, { reply: { title: "No" } }] },
        },
      },
      { type: "reaction", reaction: { message_id: expect.stringMatching(/^wamid\.in/), emoji: "👍" } },
    ]);
  });
  test("that breaks a limit is not sent, and the text is", async () => {
    const buttons = ["a title of more than 20", "No"];
    const said = await send(
      text(`[[tool:send_reply_buttons ${JSON.stringify({ text: "Tea?", buttons })}]]`),
      studio(),
    );
    expect(said).toHaveLength(1);
    expect(sentTo(ada)).toMatchObject([{ type: "text" }]);
  });
  test("that the platform does not take makes way for the text, also for a process that goes on later", async () => {
    graph.refusals.push(132001, ...Array.from({ length: 5 }, () => 131056));
    const at = studio();
    await at.whatsapp(text(asking));
    await at.settle(1_000);
    expect(graph.refusals).toEqual([]);
    expect(sentTo(ada)).toMatchObject([{ type: "text" }]);
  });
});

describe("two messages", () => {
  test("of one conversation are answered in their order, and no run begins before the other has ended", async () => {
    await world.whatsapp(text("[[sleep:300]] first"));
    await world.whatsapp(text("second"));
    await world.settle();
    expect(graph.textsTo(ada).map((said) => said.includes("second"))).toEqual([false, true]);
    const [first, second] = await world.jobsOf(ada);
    expect(second?.created_at).toBeGreaterThanOrEqual(first?.completed_at ?? Number.POSITIVE_INFINITY);
  });
  test("of two conversations are answered side by side", async () => {
    const slow = ada;
    await world.whatsapp(text("[[sleep:1000]] slow"));
    ada = String(numbers++);
    await world.whatsapp(text("quick"));
    const settled = world.settle();
    await expect.poll(() => graph.textsTo(ada)).toEqual(["You said: quick"]);
    expect(graph.textsTo(slow)).toEqual([]);
    await settled;
    expect(graph.textsTo(slow)).toHaveLength(1);
  });
});

describe("a run that waits for a person", () => {
  const pausing = { component: "agents/refund-desk" };
  const refund = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';
  const press = (run_id: string, answer: "y" | "n", from = ada) =>
    whatsappMessage({
      from,
      type: "interactive",
      interactive: { type: "button_reply", button_reply: { id: `run:${run_id}:${answer}`, title: "Yes" } },
    });
  test("asks with buttons, and goes on by the answer of who asked, once", async () => {
    const desk = worldWith(pausing);
    const [question] = await send(text(refund), desk);
    expect(question).toBe("May I do this?\n• issue_refund (amount: 5, order_id: o-1)");
    const [job] = await world.jobsOf(ada);
    await send(press(job?.id ?? "", "y"), desk);
    await send(press(job?.id ?? "", "y"), desk);
    expect(graph.textsTo(ada).slice(1)).toEqual([expect.stringContaining("Refunded 5 for order o-1.")]);
  });
  test("goes on without the call when the answer is no", async () => {
    const desk = worldWith(pausing);
    await send(text(refund), desk);
    const [job] = await world.jobsOf(ada);
    const said = await send(press(job?.id ?? "", "n"), desk);
    expect(said).toHaveLength(2);
    expect(said[1]).not.toContain("Refunded");
  });
  test("says that another person must approve, once, and sends the answer when it was continued elsewhere", async () => {
    const desk = worldWith({ component: "agents/account-desk" });
    const said = await send(text('[[tool:close_account {"account":"K-7"}]]'), desk);
    expect(said).toEqual(["This needs an approval first. The answer follows once it is given."]);
    desk.clock.advance(1_000_000);
    await desk.sweepChats();
    await desk.settle();
    expect(graph.textsTo(ada)).toHaveLength(1);
    const [run] = await world.runsOf(ada);
    const tools = run?.output.tools.map((call: object) => ({ ...call, confirmed: true }));
    const form = {
      session_id: run?.session_id,
      stream: "false",
      background: "true",
      tools: JSON.stringify(tools),
    };
    await desk.asAdmin(`/agents/account-desk/runs/${run?.run_id}/continue`, form);
    await desk.settle();
    expect(graph.textsTo(ada).slice(1)).toEqual([expect.stringContaining("Account K-7 is closed.")]);
  });
});

test("nothing that people wrote, no number, no token and no address is in the logs", async () => {
  await send(text("a very private sentence"));
  await send(whatsappMessage({ from: ada, type: "image", image: { id: "nowhere" } }));
  const logs = world.lines.join("\n");
  expect(logs).toContain("request");
  for (const secret of [
    "a very private sentence",
    ada,
    "graph-token-of-the-test",
    graph.url,
    "wa:assistant",
  ]) {
    expect(logs).not.toContain(secret);
  }
});
