import { describe, expect, test, vi } from "vitest";
import { fileTreatment } from "../../shared/domain/runs/file-treatment.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { withFilesAsText } from "../../shared/engine/run/files-as-text.ts";
import { readParts } from "../../shared/knowledge/readers/read-parts.ts";
import { aDocx, aPdf, aZip } from "../knowledge/sample-files.ts";
import { useBedrockCredentials, useHostileModel } from "../support/hostile-model/use-hostile-model.ts";
import { anAgent, aRequest, runAgent } from "./support/run-agent.ts";

useBedrockCredentials();
const hostile = useHostileModel();

const models = {
  openai: "openai:gpt-hostile",
  "openai-compatible": "openai-compatible:hostile",
  anthropic: "anthropic:claude-hostile",
  "amazon-bedrock": "amazon-bedrock:amazon.nova-hostile-v1:0",
} as const;
type Provider = keyof typeof models;

const SAID = "The ferry leaves at nine.";
const OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const files = {
  "notes.txt": ["text/plain", Buffer.from(SAID)],
  "notes.md": ["text/markdown", Buffer.from(`# Plan\n${SAID}`)],
  "table.csv": ["text/csv", Buffer.from(`what,when\nferry,${SAID}`)],
  "page.html": ["text/html", Buffer.from(`<p>${SAID}</p>`)],
  "data.json": ["application/json", Buffer.from(JSON.stringify({ said: SAID }))],
  "data.xml": ["application/xml", Buffer.from(`<said>${SAID}</said>`)],
  "plan.docx": [OFFICE, Buffer.from(aDocx([SAID]))],
  "plan.pdf": ["application/pdf", Buffer.from(aPdf([SAID]))],
  "all.zip": ["application/zip", Buffer.from(aZip({ "inner.txt": SAID }))],
  "dot.png": ["image/png", Buffer.from("89504e470d0a1a0a", "hex")],
} as const satisfies Record<string, readonly [string, Buffer]>;

let plans = 0;
async function bodyOf(provider: Provider, filename: string, [mime_type, bytes]: readonly [string, Buffer]) {
  const name = `plan-files-${++plans}`;
  const { requests } = hostile().plan(name, [{ text: ["Nine."] }]);
  const content = mime_type.startsWith("text/") ? bytes.toString() : bytes.toString("base64");
  const medium = { id: "m-1", filename, mime_type, content };
  const media = mime_type.startsWith("image/") ? { images: [medium] } : { files: [medium] };
  const { outcome } = await runAgent(name, {
    agent: anAgent(),
    request: aRequest(name, { media }),
    models: createModels({ ...hostile().environment, MODEL: models[provider] }),
    readFile: (reader, file) => readParts(reader, file),
  });
  expect(outcome.output).toMatchObject({ status: "COMPLETED", content: "Nine." });
  return JSON.stringify(requests[0]?.body);
}

describe.each(Object.keys(models) as Provider[])("a file for a model of %s", (provider) => {
  test.each(Object.entries(files))("%s is sent as the table says", async (filename, file) => {
    const [type, bytes] = file;
    const body = await bodyOf(provider, filename, file);
    const treatment = fileTreatment(provider, type);
    expect(treatment).not.toBe("refused");
    expect(body.includes(bytes.toString("base64"))).toBe(treatment === "native");
    expect(body.includes(`[file: ${filename}`)).toBe(treatment !== "native");
    expect(body.includes("converted to text]")).toBe(treatment === "converted");
    if (treatment !== "native") expect(body).toContain("The ferry leaves at nine.");
  });
});

test("a file that cannot be converted is named with the reason, and the run goes on", async () => {
  const body = await bodyOf("openai", "broken.docx", [OFFICE, Buffer.from("PK\u0003\u0004 broken")]);
  expect(body).toMatch(/broken\.docx could not be converted to text: /);
});

test("a page of a document is marked, and what is too long is left out with its length", async () => {
  expect(await bodyOf("openai-compatible", "plan.pdf", files["plan.pdf"])).toContain("[page 1]");
  const long = await bodyOf("openai", "long.txt", ["text/plain", Buffer.from("x".repeat(200_010))]);
  expect(long).toContain("[the other 10 characters are left out]");
});

const aMessage = {
  id: "u-1",
  role: "user" as const,
  created_at: 0,
  from_history: false,
  stop_after_tool_call: false,
};

describe("a document that is read once for its bytes", () => {
  const [, docx] = files["plan.docx"];
  const shown = async (filename: string, signal = new AbortController().signal) => {
    const medium = {
      id: "m-1",
      filename,
      mime_type: OFFICE,
      content: docx.toString("base64"),
      object: { key: "objects/one", sha256: "0".repeat(64), bytes: docx.length },
    };
    const message = { ...aMessage, content: "When?", files: [medium] };
    const read = vi.fn<typeof readParts>((reader, file) => readParts(reader, file));
    const [text] = await withFilesAsText([message], { provider: "OpenAI" }, read, signal);
    return { content: text?.content, reads: read.mock.calls.length };
  };

  test("shows each user's name for it", async () => {
    expect((await shown("mine.docx")).content).toContain("[file: mine.docx,");
    expect((await shown("yours.docx")).content).toContain("[file: yours.docx,");
  });

  test("is not read again for the next call", async () => {
    await shown("again.docx");
    expect(await shown("again.docx")).toMatchObject({ reads: 0 });
  });
});
