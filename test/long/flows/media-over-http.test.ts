import { createHash, randomBytes } from "node:crypto";
import { afterEach, describe, expect } from "vitest";
import { type Client, clientOf, framesOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
let reader: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  reader = clientOf(platform.url, platform.token("maria", ["sessions:read"]));
  admin = clientOf(platform.url, platform.adminToken);
});
afterEach(() => platform.faults.clear());

type Part = readonly [bytes: string | Uint8Array<ArrayBuffer>, type: string, name: string];

function formOf(fields: Readonly<Record<string, string>>, ...parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries({ message: "look", stream: "false", ...fields })) {
    form.set(name, text);
  }
  for (const [bytes, type, name] of parts) form.append("files", new Blob([bytes], { type }), name);
  return form;
}

const send = (fields: Readonly<Record<string, string>>, ...parts: readonly Part[]) =>
  maria.post("/agents/assistant/runs", { form: formOf(fields, ...parts) });

const base64 = (text: string) => Buffer.from(text).toString("base64");
const digest = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

describe("uploads", () => {
  test("are shown in the run's input and on the user's message: text as text, the rest as base64", async () => {
    const { status, json } = await send(
      {},
      ["hello, ü", "text/plain", "notes.txt"],
      ["PNG", "image/png", "a.png"],
      ["MP4", "application/octet-stream", "clip.mp4"],
      ["WAV", "audio/wav", "a.wav"],
    );
    expect(status).toBe(200);
    const notes = { format: "txt", mime_type: "text/plain", filename: "notes.txt", content: "hello, ü" };
    const picture = { format: "png", mime_type: "image/png", filename: "a.png", content: base64("PNG") };
    expect(json.input).toEqual({
      input_content: "look",
      files: [{ id: expect.any(String), ...notes }],
      images: [{ id: expect.any(String), ...picture }],
      videos: [expect.objectContaining({ mime_type: "video/mp4", content: base64("MP4") })],
      audios: [expect.objectContaining({ mime_type: "audio/wav", content: base64("WAV") })],
    });
    const asked = json.messages.find((message: { role: string }) => message.role === "user");
    expect({ ...asked, ...json.input }).toMatchObject({
      files: asked.files,
      images: asked.images,
      videos: asked.videos,
    });
    expect(asked.audio).toEqual(json.input.audios);
    expect((await maria.poll(json)).json.input).toEqual(json.input);
  });

  test("of a background run are carried along, and a list names them without their contents", async () => {
    const { status, json } = await send({ background: "true" }, ["x", "text/csv", "t.csv"]);
    expect(status).toBe(202);
    const run = await maria.settled(json);
    expect(run).toMatchObject({ status: "COMPLETED", content: "You said: look" });
    expect(run.input.files).toEqual([expect.objectContaining({ filename: "t.csv", content: "x" })]);
    const { json: rows } = await maria.get(`/agents/assistant/runs?session_id=${json.session_id}`);
    const [file] = rows[0].input_media.files;
    expect(file).toEqual({ id: expect.any(String), format: "csv", mime_type: "text/csv", filename: "t.csv" });
    const { text } = await admin.get(`/sessions/${json.session_id}?type=agent&user_id=maria`);
    expect(text).toContain("t.csv");
    expect(text).not.toContain("sha256");
    const job = (await admin.get(`/queue/jobs/${json.run_id}`)).json;
    expect(job.payload).toEqual({ input: "look", kwargs: {} });
  });

  test("of 4.5 MB come back byte for byte", async () => {
    const bytes = new Uint8Array(randomBytes(4_500_000));
    const { status, json } = await send({ background: "true" }, [bytes, "application/pdf", "big.pdf"]);
    expect(status).toBe(202);
    const run = await maria.settled(json);
    const content = Buffer.from(run.input.files?.[0]?.content ?? "", "base64");
    expect(digest(content)).toBe(digest(bytes));
  });

  test("of more than a function can be handed are 413, and leave nothing behind", async () => {
    const before = (await admin.get("/queue/stats")).json.counts;
    const bytes = new Uint8Array(randomBytes(4_800_000));
    const answer = await send({ background: "true" }, [bytes, "application/pdf", "big.pdf"]);
    expect(answer.status).toBe(413);
    expect((await admin.get("/queue/stats")).json.counts).toEqual(before);
  });

  test("of another type are refused as a whole, with nothing accepted", async () => {
    const before = (await admin.get("/queue/stats")).json.counts;
    const answer = await send(
      { background: "true" },
      ["ok", "text/plain", "a.txt"],
      ["MZ", "application/x-msdownload", "tool.exe"],
    );
    expect(answer).toMatchObject({
      status: 400,
      json: { error_code: "BAD_REQUEST", detail: expect.stringContaining("application/x-msdownload") },
    });
    expect((await admin.get("/queue/stats")).json.counts).toEqual(before);
  });

  test("that are empty are refused by name", async () => {
    const answer = await send({}, ["", "text/plain", "empty.txt"], ["a", "text/plain", "a.txt"]);
    expect(answer).toMatchObject({ status: 400, json: { detail: "empty.txt is empty" } });
  });

  test("take what is said of them by their position", async () => {
    const files_metadata = JSON.stringify([{ page: 1 }, "no object"]);
    const { json } = await send(
      { files_metadata },
      ["a", "text/plain", "a.txt"],
      ["b", "text/plain", "b.txt"],
    );
    expect(json.input.files.map((file: { metadata?: unknown }) => file.metadata)).toEqual([
      { page: 1 },
      undefined,
    ]);
  });

  test("are seen by their owner alone", async () => {
    const { json } = await send({}, ["secret", "text/plain", "s.txt"]);
    const otto = clientOf(platform.url, platform.token("otto", ["agents:read", "agents:run"]));
    expect((await otto.poll(json)).status).toBe(404);
  });
});

describe("media fields", () => {
  test("are kept by content or by address, with what else is said of them", async () => {
    const { status, json } = await send({
      images: JSON.stringify([
        { url: "https://pictures.example/cat.png", detail: "high" },
        { content: base64("PNG"), format: "png", id: "mine", alt_text: "a cat" },
      ]),
      audio: JSON.stringify([{ content: base64("WAV"), format: "wav", sample_rate: 24_000 }]),
      input_files: JSON.stringify([
        {
          content: base64("a;b"),
          mime_type: "text/csv",
          filename: "t.csv",
          object: { key: "of another user" },
        },
      ]),
    });
    expect(status).toBe(200);
    expect(json.input).toEqual({
      input_content: "look",
      images: [
        { id: expect.any(String), url: "https://pictures.example/cat.png", detail: "high" },
        { id: "mine", content: base64("PNG"), format: "png", alt_text: "a cat" },
      ],
      audios: [{ id: expect.any(String), content: base64("WAV"), format: "wav", sample_rate: 24_000 }],
      files: [{ id: expect.any(String), mime_type: "text/csv", filename: "t.csv", content: "a;b" }],
    });
  });

  test("of a text type may be the text itself, as clients of AgentOS send it, also where it looks like base64", async () => {
    const texts = ["two pumps", "TestData", base64("a;b")];
    const input_files = texts.map((content) => ({ content, mime_type: "text/plain", filename: "t.txt" }));
    const { status, json } = await send({ input_files: JSON.stringify(input_files) });
    expect(status).toBe(200);
    expect(json.input.files.map((file: { content: string }) => file.content)).toEqual([
      "two pumps",
      "TestData",
      "a;b",
    ]);
  });

  test("join the uploads of their kind", async () => {
    const images = JSON.stringify([{ content: base64("2"), format: "png" }]);
    const { json } = await send({ images }, ["1", "image/png", "1.png"]);
    expect(json.input.images.map((image: { content: string }) => image.content)).toEqual([
      base64("1"),
      base64("2"),
    ]);
  });

  test("that are no JSON are 422; an empty one is none", async () => {
    for (const name of ["images", "audio", "videos", "input_files"]) {
      for (const text of ["nope", "[{"]) {
        const { status, json } = await send({ [name]: text });
        expect([status, json.detail[0].loc]).toEqual([422, ["body", name]]);
      }
    }
    const { status, json } = await send({ images: "" });
    expect([status, json.input]).toEqual([200, { input_content: "look" }]);
  });

  test.each([
    ["no list", "images", {}, "valid list"],
    ["no object", "videos", ["x"], "media object"],
    ["nothing to fetch", "audio", [{ format: "wav" }], "missing"],
    ["both", "images", [{ url: "https://x.example", content: "AA==" }], "not both"],
    ["a path on the server", "input_files", [{ filepath: "/etc/passwd" }], "filepath"],
    ["an address of another sort", "images", [{ url: "file:///etc/passwd" }], "http"],
    ["no base64", "images", [{ content: "!!" }], "base64"],
  ])("with %s are 422", async (_what, name, value, reason) => {
    const { status, json } = await send({ [name]: JSON.stringify(value) });
    expect(status).toBe(422);
    expect(json.detail).toEqual([
      expect.objectContaining({ loc: ["body", name], msg: expect.stringContaining(reason) }),
    ]);
  });
});

describe("a picture that a tool draws", () => {
  const drawing = '[[tool:draw_badge {"colour":"#cc0033"}]]';
  const PNG_BASE64 = /^iVBORw0KGgo/;
  const badge = {
    id: expect.any(String),
    format: "png",
    mime_type: "image/png",
    filename: "badge.png",
    alt_text: "A badge in #cc0033.",
    content: expect.stringMatching(PNG_BASE64),
    url: expect.stringMatching(/^http/),
    media_reference: {
      media_id: expect.any(String),
      storage_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      storage_backend: "s3",
      mime_type: "image/png",
      filename: "badge.png",
      size: expect.any(Number),
    },
  };
  const carried = (frames: readonly { event: string; data: Record<string, unknown> }[]) =>
    frames.filter(({ data }) => "images" in data).map(({ event, data }) => [event, data.images]);

  test("is in the run's output and on the tool's message, and a list names it", async () => {
    const { json } = await maria.run(drawing);
    expect(json).toMatchObject({ status: "COMPLETED", content: "The badge is drawn.", images: [badge] });
    const tool = json.messages.find(({ role }: { role: string }) => role === "tool");
    expect(tool.images).toEqual(json.images);
    const fetched = await fetch(json.images[0].url);
    expect(fetched.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await fetched.arrayBuffer()).toString("base64")).toBe(json.images[0].content);
    expect((await maria.poll(json)).json.images).toEqual(json.images);
    const { json: rows } = await maria.get(`/agents/assistant/runs?session_id=${json.session_id}`);
    const { content: _, ...named } = badge;
    expect(rows[0].images).toEqual([named]);
    const sessionRows = (await reader.get(`/sessions/${json.session_id}/runs`)).json;
    expect(sessionRows[0].images).toEqual([named]);
    const session = await admin.get(`/sessions/${json.session_id}?type=agent&user_id=maria`);
    expect(session.json.chat_history).toHaveLength(3);
    expect(JSON.stringify([rows, session.json])).not.toContain("sha256");
  });

  test("is in the events about it, while it happens and when they are sent again", async () => {
    const form = { message: drawing, stream: "true", background: "true" };
    const { text } = await maria.post("/agents/assistant/runs", { form });
    const carriedMedia = carried(framesOf(text));
    const shown = [
      ["ToolCallCompleted", [badge]],
      ["RunCompleted", [badge]],
    ];
    expect(carriedMedia).toEqual(shown);
    const { run_id, session_id } = framesOf(text)[0]?.data ?? {};
    const again = await maria.post(`/agents/assistant/runs/${run_id}/resume`, {
      form: { session_id: String(session_id) },
    });
    expect(carried(framesOf(again.text))).toEqual(carriedMedia);
    const live = await maria.post("/agents/assistant/runs", { form: { ...form, background: "false" } });
    expect(carried(framesOf(live.text))).toEqual(shown);
  });

  test("of a team's member is the team's too", async () => {
    const task = JSON.stringify({ member_id: "assistant", task: drawing });
    const { json } = await admin.post("/teams/support-team/runs", {
      form: { message: `[[tool:delegate_task_to_member ${task}]]`, stream: "false" },
    });
    expect(json.images).toEqual([badge]);
    expect(json.member_responses[0].images).toEqual(json.images);
  });
});

describe("a stored file of a session", () => {
  const drawing = '[[tool:draw_badge {"colour":"#aa0033"}]]';
  const bytesOf = async (path: string, client = reader) => client.send("GET", path);

  test("is given as bytes under its type, or as a signed address, to its owner alone", async () => {
    const { json } = await maria.run(drawing);
    const [image] = json.images;
    const path = `/sessions/${json.session_id}/media/${image.media_reference.storage_key}`;
    const given = await bytesOf(path);
    expect([given.status, given.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(given.headers.get("x-content-type-options")).toBe("nosniff");
    expect(Buffer.from(await given.arrayBuffer()).toString("base64")).toBe(image.content);
    const followed = await bytesOf(`${path}?redirect=true`);
    expect([followed.redirected, followed.status]).toEqual([true, 200]);
    expect(Buffer.from(await followed.arrayBuffer()).toString("base64")).toBe(image.content);
    const otto = clientOf(platform.url, platform.token("otto", ["sessions:read"]));
    expect((await bytesOf(path, otto)).status).toBe(404);
    expect((await bytesOf(path, maria)).status).toBe(403);
  });

  test("is not found in another session", async () => {
    const { json } = await maria.run(drawing);
    const { json: other } = await maria.run("hello");
    const key = json.images[0].media_reference.storage_key;
    expect((await bytesOf(`/sessions/${other.session_id}/media/${key}`)).status).toBe(404);
    expect((await bytesOf(`/sessions/${json.session_id}/media/..%2F${key}`)).status).toBe(404);
  });

  test("that a browser would execute is given to be saved", async () => {
    const { json } = await send({}, ["<script>alert(1)</script>", "text/html", "page.html"]);
    const key = digest("<script>alert(1)</script>");
    for (const query of ["", "?redirect=true"]) {
      const given = await bytesOf(`/sessions/${json.session_id}/media/${key}${query}`);
      expect([given.status, given.headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
    }
  });
});

describe("values that are larger than an item", () => {
  test("a message of 1 MB is run, kept and shown whole, in the foreground and in the background", async () => {
    const message = randomBytes(500_000).toString("hex");
    const { status, json } = await maria.run(message);
    expect(status).toBe(200);
    expect(json.content).toBe(`You said: ${message}`);
    const accepted = await maria.submit(message, { session_id: json.session_id });
    const run = await maria.settled(accepted);
    expect(run).toMatchObject({ status: "COMPLETED", input: { input_content: message } });
    const { json: rows } = await maria.get(`/agents/assistant/runs?session_id=${json.session_id}`);
    expect(rows.map((row: { run_input: string }) => row.run_input === message)).toEqual([true, true]);
  });

  test("a queued message of 1 MB is listed by its beginning, and shown whole where it is asked for", async () => {
    const message = randomBytes(500_000).toString("hex");
    const { run_id } = await maria.submit(message);
    // Jobs of one second are in the order of their ids, so it need not be the first.
    const { json: page } = await admin.get("/queue/jobs?limit=100");
    const listed = page.data.find(({ id }: { readonly id: string }) => id === run_id);
    expect(listed).toMatchObject({ payload: { truncated: true, kwargs: {} } });
    expect(listed.payload.input).toBe(message.slice(0, 1_000));
    const { payload } = (await admin.get(`/queue/jobs/${run_id}`)).json;
    expect(payload).toEqual({ input: message, kwargs: {} });
  });

  test("a session_state of 2 MB comes back in its session's next run", async () => {
    const cart = randomBytes(1_000_000).toString("hex");
    const first = await maria.run("hello", { session_state: JSON.stringify({ cart }) });
    expect(first.json.session_state).toEqual({ cart });
    const next = await maria.run("again", {
      session_id: first.json.session_id,
      session_state: JSON.stringify({ more: 1 }),
    });
    expect(next.json.session_state).toEqual({ cart, more: 1 });
  });
});

describe("while the bucket is down", () => {
  const down = (operation: string) =>
    platform.faults.set((call) =>
      call.service === "s3" && call.operation === operation
        ? { status: 503, type: "SlowDown", message: "at /srv/secret-host" }
        : undefined,
    );

  test.each(["true", "false"])(
    "an upload is 503 and nothing is accepted (background=%s)",
    async (background) => {
      const before = (await admin.get("/queue/stats")).json.counts;
      down("PutObject");
      const session_id = `down-${background}`;
      const answer = await send({ background, session_id }, ["a", "text/plain", "a.txt"]);
      expect(answer).toMatchObject({ status: 503, json: { error_code: "UNAVAILABLE" } });
      expect(answer.text).not.toContain("secret-host");
      platform.faults.clear();
      expect((await admin.get("/queue/stats")).json.counts).toEqual(before);
      expect((await maria.get(`/agents/assistant/runs?session_id=${session_id}`)).status).toBe(404);
    },
  );

  test("a run without large values goes on as ever", async () => {
    down("PutObject");
    expect((await maria.run("hello")).json).toMatchObject({ status: "COMPLETED" });
  });

  test("a stored medium is 503, not an empty answer", async () => {
    const { json } = await send({}, ["a", "text/plain", "a.txt"]);
    down("GetObject");
    expect(await maria.poll(json)).toMatchObject({ status: 503, json: { error_code: "UNAVAILABLE" } });
    platform.faults.clear();
    expect((await maria.poll(json)).json.input.files[0].content).toBe("a");
  });

  test("a background run with an upload fails visibly when its model cannot be shown it", async () => {
    down("GetObject");
    const { json } = await send({ background: "true" }, ["a", "text/plain", "a.txt"]);
    await expect.poll(async () => (await admin.get(`/queue/jobs/${json.run_id}`)).json.status).toBe("failed");
    platform.faults.clear();
    expect(await maria.settled(json)).toMatchObject({ status: "ERROR" });
  });
});
