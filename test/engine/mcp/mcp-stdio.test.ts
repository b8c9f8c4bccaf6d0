import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeRegistry } from "../../../shared/engine/define/describe-registry.ts";
import { defineRegistry } from "../../../shared/engine/define/registry.ts";
import { defineMcpTools } from "../../../shared/engine/tool/mcp/define-mcp-tools.ts";
import { anAgent, aRequest, runAgent } from "../support/run-agent.ts";

/** Tools of a server that is a program of the machine. */
const folder = mkdtempSync(join(tmpdir(), "mcp-program-"));
const seen = join(folder, "seen");
const source = defineMcpTools({
  name: "files",
  command: process.execPath,
  args: [join(import.meta.dirname, "stdio-program.ts")],
  env: { SEEN: seen, TOKEN_OF_OWN: "one" },
});
const agent = anAgent({ tool_sources: [source] });
const call = async (name: string, user_id = "maria") => {
  const input = `[[tool:${name} {}]]`;
  const { outcome } = await runAgent(input, { agent, request: aRequest(input, { user_id }) });
  return outcome.output.tools?.at(-1);
};
afterAll(async () => {
  await call("end");
  rmSync(folder, { recursive: true, force: true });
});
const starts = () => readFileSync(seen, "utf8").trim().split("\n").length;

test("are called by all users in one process, which is started again once it has ended", async () => {
  expect(await call("count")).toMatchObject({ result: "1" });
  const begun = starts();
  expect(await call("count", "jonas")).toMatchObject({ result: "2" });
  expect(starts()).toBe(begun);
  expect(await call("end")).toMatchObject({ tool_call_error: true });
  expect(await call("count")).toMatchObject({ result: "1" });
});

test("get the variables that they are given, and none of the platform's", async () => {
  process.env.TOOL_SECRET_VALUES = "{}";
  const names = (await call("environment"))?.result?.split(",") ?? [];
  delete process.env.TOOL_SECRET_VALUES;
  expect(names).toContain("TOKEN_OF_OWN");
  expect(names.filter((name) => /SECRET|AWS|MODEL/.test(name))).toEqual([]);
});

test("are noted by what describes a registry, so that they are not deployed", () => {
  expect(describeRegistry(defineRegistry({ agents: [agent] })).needs).toEqual([
    { name: "the MCP server files", secrets: [], permissions: [], starts_program: true },
  ]);
});
