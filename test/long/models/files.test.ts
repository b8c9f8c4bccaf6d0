import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDocx, aPdf, aZip } from "../../knowledge/sample-files.ts";
import { type Client, clientOf } from "../../support/client.ts";
import {
  type HostileModel,
  protocols,
  startHostileModel,
} from "../../support/hostile-model/start-hostile-model.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { allBut, specialRegistry } from "../../support/test-registry.ts";
import { documentedFiles, everyFile, SAID, type SampleFile } from "./every-file.ts";

/** Uploads through the deployed bundles: the readers work in the process that is bundled beside each function. */
let platform: TestPlatform;
let model: HostileModel;
let client: Client;
beforeAll(async () => {
  model = await startHostileModel();
  platform = await startPlatform({
    registry: specialRegistry,
    without: allBut("runs", "worker"),
    env: { ...model.environment },
  });
  client = clientOf(platform.url, platform.adminToken);
}, 600_000);
afterAll(async () => {
  await platform?.stop();
  await model?.stop();
});

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const sample = (name: string, type: string, bytes: Uint8Array | string): SampleFile => ({
  name,
  type,
  bytes: Buffer.from(bytes),
});
const uploads: readonly SampleFile[] = [
  sample("notes.txt", "text/plain", SAID),
  sample("table.csv", "text/csv", `what,when\nferry,${SAID}`),
  sample("data.json", "application/json", JSON.stringify({ said: SAID })),
  sample("plan.docx", DOCX, aDocx([SAID])),
  sample("plan.pdf", "application/pdf", aPdf([SAID])),
  sample("all.zip", "application/zip", aZip({ "inner.txt": SAID })),
];

function send(provider: string, plan: string, background: boolean, files: readonly SampleFile[]) {
  const form = new FormData();
  form.set("message", plan);
  form.set("stream", "false");
  form.set("background", String(background));
  for (const { name, type, bytes } of files)
    form.append("files", new Blob([Uint8Array.from(bytes)], { type }), name);
  return client.post(`/agents/${provider}-clerk/runs`, { form });
}

/** What the model of a provider was given of files, in the words of the table in docs/models.md. */
async function given(provider: string, plan: string, files: readonly SampleFile[], background = false) {
  const { requests } = model.plan(plan, [{ text: ["Nine."] }]);
  const { json } = await send(provider, plan, background, files);
  expect(json).toMatchObject({ status: background ? "PENDING" : "COMPLETED" });
  await expect.poll(() => requests.length).toBe(1);
  const body = JSON.stringify(requests[0]?.body);
  return Object.fromEntries(
    files.map(({ name, bytes }) => {
      if (body.includes(bytes.toString("base64"))) return [name, "as it is"];
      const [, title = "", text = ""] =
        new RegExp(`\\[file: ${name}(|, converted to text)\\](.*?)\\[end of ${name}\\1`).exec(body) ?? [];
      if (!text.includes(SAID)) return [name, "nothing"];
      return [name, title === "" ? "its text" : "converted to text"];
    }),
  );
}

describe.each(protocols.map(({ provider }) => provider))("%s", (provider) => {
  test.each([false, true])(
    "gets every file that it takes or a reader reads; background: %s",
    async (background) => {
      const shown = await given(provider, `plan-${provider}-files-${background}`, uploads, background);
      expect(Object.values(shown)).not.toContain("nothing");
    },
  );

  test("is given every type as docs/models.md says", async () => {
    const documented = documentedFiles();
    const said = (type: string) => documented[type]?.[provider];
    const shown = everyFile.filter(({ type }) => said(type) !== "400");
    const found = await given(provider, `plan-${provider}-types`, shown);
    expect(found).toEqual(Object.fromEntries(shown.map(({ name, type }) => [name, said(type)])));
    for (const file of everyFile.filter(({ type }) => said(type) === "400")) {
      const refused = await send(provider, `plan-${provider}-refused`, false, [file]);
      expect(refused).toMatchObject({ status: 400, json: { detail: expect.stringContaining(file.name) } });
    }
  });

  test("gets a text in whatever encoding it is", async () => {
    const plan = `plan-${provider}-encodings`;
    const { requests } = model.plan(plan, [{ text: ["Nine."] }]);
    const words = "Größe und Güte, süße Äpfel für München: alles über Käse";
    const utf16 = Buffer.from(`\ufeff${words}`, "utf16le");
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?><a>${words}</a>`;
    const files = [
      sample("latin.txt", "text/plain", Buffer.from(words, "latin1")),
      sample("latin.csv", "text/csv", Buffer.from(words, "latin1")),
      sample("little.txt", "text/plain", utf16),
      sample("big.csv", "text/csv", Buffer.from(utf16).swap16()),
      sample("marked.md", "text/markdown", `\ufeff${words}`),
      sample("latin.xml", "application/xml", Buffer.from(xml, "latin1")),
      sample("little.json", "application/json", Buffer.from(`\ufeff{"a":"${words}"}`, "utf16le")),
    ];
    expect((await send(provider, plan, false, files)).status).toBe(200);
    const body = JSON.stringify(requests[0]?.body);
    const unread = files.filter(({ name }) => {
      const text = body.split(`[file: ${name}]\\n`)[1]?.split("\\n[end of")[0] ?? "";
      return !text.includes(words) || text.includes("\ufeff");
    });
    expect(unread.map(({ name }) => name)).toEqual([]);
  });

  test("is given the true type of a picture, and media are taken whose types are in capitals", async () => {
    const plan = `plan-${provider}-true-types`;
    const { requests } = model.plan(plan, [{ text: ["Nine."] }]);
    const jpeg = Buffer.from("ffd8ffe000104a464946", "hex");
    const form = {
      message: plan,
      stream: "false",
      images: JSON.stringify([{ content: jpeg.toString("base64"), mime_type: "image/png" }]),
      input_files: JSON.stringify([
        {
          content: Buffer.from(SAID).toString("base64"),
          mime_type: "Text/Plain; charset=utf-8",
          filename: "a",
        },
      ]),
    };
    expect(await client.post(`/agents/${provider}-clerk/runs`, { form })).toMatchObject({ status: 200 });
    const body = JSON.stringify(requests[0]?.body);
    expect(body).toMatch(/image\/jpeg|"format":"jpeg"/);
    expect(body).not.toMatch(/image\/png|"format":"png"/);
    expect(body).toContain(`[file: a]\\n${SAID}`);
  });

  test("is given or refused a medium of every field, and none fails its run", async () => {
    const content = Buffer.from("ffd8ffe000104a464946", "hex").toString("base64");
    const url = "https://example.com/it";
    const media = [
      ["images", { url }],
      ["images", { content, format: "JPG" }],
      ["images", { content: "AAAA", mime_type: 5 }],
      ["audio", { url, format: "mp3" }],
      ["audio", { content }],
      ["audio", { content, format: "wave" }],
      ["videos", { url }],
      ["input_files", { url, mime_type: "application/pdf" }],
      ["input_files", { url, mime_type: DOCX }],
      ["input_files", { content }],
    ] as const;
    for (const [at, [field, medium]] of media.entries()) {
      const plan = `plan-${provider}-medium-${at}`;
      const { requests } = model.plan(plan, [{ text: ["Nine."] }]);
      const form = { message: plan, stream: "false", [field]: JSON.stringify([medium]) };
      const { status, json } = await client.post(`/agents/${provider}-clerk/runs`, { form });
      const seen = { field, medium, status, requests: requests.length, detail: json.detail ?? json.status };
      if (status === 200) expect(seen).toMatchObject({ requests: 1, detail: "COMPLETED" });
      else
        expect(seen).toMatchObject({
          status: 400,
          detail: expect.stringContaining("the model of this agent"),
        });
    }
  });

  test("refuses by name what is empty, and what no run takes", async () => {
    const files = [
      sample("empty.txt", "text/plain", ""),
      sample("empty.png", "image/png", ""),
      sample("tool.exe", "application/x-msdownload", "MZ"),
    ];
    for (const file of files) {
      const refused = await send(provider, `plan-${provider}-refused`, false, [file]);
      expect(refused).toMatchObject({ status: 400, json: { detail: expect.stringContaining(file.name) } });
    }
  });
});
