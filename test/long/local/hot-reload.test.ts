import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, type RunEvent } from "../../../client/index.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** The platform as `npm run dev` runs it, with sources of its own that the test may edit. */
const project = join(import.meta.dirname, "../../..");
let sources: string;
let platform: TestPlatform;
const output: string[] = [];
const path = { agent_id: "assistant" };
const client = () => createClient({ baseUrl: platform.url, token: platform.adminToken });

/** A tool that answers with a word, at once or when there is a file. */
const toolThatSays = (word: string): string => `
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import * as v from "valibot";
import { defineTool } from "../../shared/engine/tool/tool.ts";

export const getTime = defineTool({
  name: "get_time",
  description: "Says a word.",
  parameters: v.object({ after: v.optional(v.string()) }),
  effect: "safe",
  execute: async ({ after }) => {
    while (after !== undefined && !existsSync(after)) await setTimeout(10);
    return "${word}";
  },
});`;

/** It hosts the tool's agent. */
const index = `
import { defineAgent } from "../shared/engine/define/index.ts";
import { getTime } from "./tools/get-time.ts";

const assistant = defineAgent({ id: "assistant", name: "Assistant", tools: [getTime] });
export const registry = { agents: [assistant], teams: [], workflows: [] };
`;

const save = (text: string, file = "registry/tools/get-time.ts"): void =>
  writeFileSync(join(sources, file), text);

/** Saves the tool or another file, and waits for what the console says of it. */
async function edit(text: string, file?: string): Promise<string> {
  const before = output.length;
  save(text, file);
  await expect.poll(() => output.length, { interval: 10 }).toBeGreaterThan(before);
  return output.slice(before).join("\n");
}

async function collect(events: AsyncIterable<RunEvent>, into: RunEvent[]): Promise<void> {
  for await (const one of events) into.push(one);
}

async function ask(): Promise<unknown> {
  const run = await client().createAgentRun({ path, body: { message: "[[tool:get_time {}]]" } });
  return "content" in run ? run.content : run;
}

beforeAll(async () => {
  // Inside of the project's packages, where the copy finds them. One function is enough, and quick.
  const cache = join(project, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  sources = mkdtempSync(join(cache, "hot-reload-"));
  for (const name of ["package.json", "tsconfig.json", "functions/runs", "shared"]) {
    cpSync(join(project, name), join(sources, name), { recursive: true });
  }
  for (const name of ["lib", "bin", "registry", "registry/tools"]) mkdirSync(join(sources, name));
  save(toolThatSays("first"));
  save(index, "registry/index.ts");
  platform = await startPlatform({ watch: { sources, reloaded: (line) => output.push(line) } });
});
afterAll(async () => {
  await platform.stop();
  rmSync(sources, { recursive: true, force: true });
});

test("an edited tool answers without a restart, a run in progress ends with its own, and a slip does no harm", async () => {
  await expect.poll(() => output.join(), { interval: 10 }).toMatch(/^reloaded after \d+\.\d s: runs$/);
  const gate = join(sources, "gate");
  const message = `[[tool:get_time ${JSON.stringify({ after: gate })}]]`;
  const seen: RunEvent[] = [];
  const inProgress = collect(client().stream("createAgentRun", { path, body: { message } }), seen);
  await expect.poll(() => seen.map(({ event }) => event), { interval: 10 }).toContain("ToolCallStarted");

  expect(await edit(toolThatSays("second"))).toMatch(/^reloaded/);
  expect(await ask()).toContain("second");

  expect(await edit(toolThatSays('oops" + ;'))).toMatch(/the code from before goes on: .*get-time\.ts:14:/s);
  expect(await ask()).toContain("second");

  const throwing = `${toolThatSays("oops")}\nthrow new Error("not today");`;
  expect(await edit(throwing)).toMatch(
    /goes on: registry\/tools\/get-time\.ts:17:\d+: the registry cannot be loaded: Error: not today/,
  );
  const twice = index.replace("[assistant]", "[assistant, { ...assistant }]");
  expect(await edit(toolThatSays("fourth"))).toMatch(/^reloaded/);
  expect(await edit(twice, "registry/index.ts")).toContain('two agents have the id "assistant"');
  expect(await ask()).toContain("fourth");
  save(index, "registry/index.ts");

  expect(await edit(toolThatSays("third"))).toMatch(/reloaded/);
  expect(await ask()).toContain("third");

  expect(seen.at(-1)?.event).toBe("ToolCallStarted");
  writeFileSync(gate, "");
  await inProgress;
  expect(seen.at(-1)).toMatchObject({
    event: "RunCompleted",
    data: { content: expect.stringContaining("first") },
  });
});
