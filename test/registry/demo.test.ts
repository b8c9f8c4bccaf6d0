import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { registry } from "../../registry/index.ts";
import { stepsIn } from "../../scripts/docs/guide-steps.ts";
import { findInRegistry } from "../../shared/engine/component/find-runnable.ts";
import type { EnginePorts } from "../../shared/engine/ports/engine-ports.ts";
import { aRequest, runAgent } from "../engine/support/run-agent.ts";

/** What README and the guides say of the demo in `registry/`. Who replaces the demo removes this folder. */
const root = join(import.meta.dirname, "../..");
const guides = readdirSync(join(root, "docs/guide"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("docs/guide", name));
const documents = ["README.md", ...guides].map((path) => [path, readFileSync(join(root, path), "utf8")]);

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

/** What a guide has its reader declare, store or write. */
const madeByReaders = new Set(
  documents.flatMap(([, text = ""]) => [
    ...all(text, /\bid: "([\w-]+)"/g),
    ...all(text, /\bname: "(\w+)"/g),
    ...all(text, /"component_id": "([\w-]+)"/g),
    ...all(text, /\bWrite `([^`]+)`:/g),
  ]),
);
const { agents, teams, workflows } = registry;
const ids: Readonly<Record<string, string[]>> = {
  agents: agents.map(({ id }) => id),
  teams: teams.map(({ id }) => id),
  workflows: workflows.map(({ id }) => id),
};

describe.each(documents)("%s", (_, text = "") => {
  test("names what is there", () => {
    const commands = stepsIn(text).flatMap((step) => (step.kind === "command" ? [step.text] : []));
    for (const command of commands) {
      const [, kind = "", id = ""] = /\$API\/(agents|teams|workflows)\/([\w-]+)\//.exec(command) ?? [];
      if (id === "" || (madeByReaders.has(id) && !ids[kind]?.includes(id))) continue;
      expect(ids[kind]).toContain(id);
      const tools = agents.find((agent) => kind === "agents" && agent.id === id)?.tools;
      if (tools) expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(toolsIn(command)));
    }
    const files = all(text, /`(registry\/[\w/-]+\.ts)`/g).filter((file) => !madeByReaders.has(file));
    for (const file of files) expect(readFileSync(join(root, file), "utf8")).toMatch(/./);
  });
});

const toolsIn = (command: string): string[] => all(command, /\[\[tool:(\w+)/g);

const call = async (agent_id: string, script: string, ports: Partial<EnginePorts> = {}) => {
  const agent = await findInRegistry(registry)("agent", agent_id);
  if (agent?.kind !== "agent") throw new Error(`no agent ${agent_id}`);
  const { outcome } = await runAgent("", { agent, request: aRequest(script), ...ports });
  return outcome.output;
};

describe("the assistant", () => {
  test.each([
    ['add_numbers {"a":17.5,"b":24.75}', /^42\.25$/],
    ["get_time {}", /\d{4} at \d\d:\d\d:\d\d UTC$/],
    ['get_time {"timezone":"Asia/Tokyo"}', /GMT\+9$/],
  ])("answers %s", async (tool, content) => {
    expect(await call("assistant", `[[tool:${tool}]]`)).toMatchObject({
      status: "COMPLETED",
      content: expect.stringMatching(content),
    });
  });

  test("draws a badge, which is a picture of PNG", async () => {
    const kept: Uint8Array[] = [];
    const saveObject = async (bytes: Uint8Array) => {
      kept.push(bytes);
      return { key: "badge", bytes: bytes.length, sha256: "" };
    };
    const output = await call("assistant", '[[tool:draw_badge {"colour":"#cc0033"}]]', { saveObject });
    expect(output).toMatchObject({ status: "COMPLETED", content: "The badge is drawn." });
    expect(kept.map((bytes) => Buffer.from(bytes.subarray(1, 4)).toString())).toEqual(["PNG"]);
  });

  test("learns that a time zone does not exist", async () => {
    const output = await call("assistant", '[[tool:get_time {"timezone":"Mars/Olympus"}]]');
    expect(output).toMatchObject({ status: "COMPLETED", tools: [{ tool_call_error: true }] });
  });
});

describe("the refund desk", () => {
  test("pays nothing before a person says so", async () => {
    const output = await call("refund-desk", '[[tool:issue_refund {"order_id":"A-1","amount":12.5}]]');
    expect(output).toMatchObject({
      status: "PAUSED",
      tools: [{ tool_name: "issue_refund", requires_confirmation: true, result: null }],
    });
    expect(output.requirements).toHaveLength(1);
  });

  test("asks no person about an amount that is none", async () => {
    const output = await call("refund-desk", '[[tool:issue_refund {"order_id":"A-1","amount":0}]]');
    expect(output).toMatchObject({ status: "COMPLETED", tools: [{ tool_call_error: true }] });
  });
});

describe("the front desk", () => {
  test.each([
    'ask_user {"questions":[{"question":"Which?","header":"Which","options":[{"label":"a"},{"label":"b"}]}]}',
    'book_table {"restaurant":"Olivo"}',
    'pay_invoice {"invoice_id":"2041","amount":80}',
    'read_device_file {"path":"notes.txt"}',
    'send_letter {"to":"Maria","text":"Hello"}',
  ])("waits before %s", async (tool) => {
    expect(await call("front-desk", `[[tool:${tool}]]`)).toMatchObject({ status: "PAUSED" });
  });
});
