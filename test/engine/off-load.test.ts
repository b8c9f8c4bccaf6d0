import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { resultToolsFor } from "../../shared/engine/context/large-results.ts";
import { searchText } from "../../shared/engine/context/search-text.ts";
import type { Agent } from "../../shared/engine/define/agent.ts";
import { messageText } from "../../shared/engine/model/parse-script.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import { sessionObjects } from "../../shared/stores/objects/spill.ts";
import { copyResults, storedResultIds, storedResultsOf } from "../../shared/stores/runs/stored-results.ts";
import { objectsInMemory } from "../support/objects-in-memory.ts";
import { anAgent, eventsOf, type How, runAgent } from "./support/run-agent.ts";
import { watchedModel } from "./support/watched-model.ts";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
const SESSION = { owner: "maria", session_id: "session-1" };
const LOG = Array.from({ length: 3_000 }, (_, i) => `line ${i + 1}${i === 1_776 ? " the code is 4711" : ""}`);
const LONG = LOG.join("\n");

const readLog = (text: string = LONG) =>
  defineTool({
    name: "read_log",
    description: "Read the log.",
    parameters: v.object({}),
    effect: "safe",
    execute: () => text,
  });

type Call = readonly [name: string, args?: object];

/** A model that makes one call an answer, and then says that it is done. */
function calling(...calls: Call[]) {
  let at = 0;
  return watchedModel((): LanguageModelV4StreamPart[] => {
    const call = calls[at];
    at += 1;
    if (!call)
      return [
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "Done." },
        { type: "text-end", id: "t" },
        { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } },
      ];
    const [toolName, args = {}] = call;
    return [
      { type: "tool-call", toolCallId: `c${at}`, toolName, input: JSON.stringify(args) },
      { type: "finish", usage, finishReason: { unified: "tool-calls", raw: "tool_calls" } },
    ];
  });
}

const offloading = (parts: Partial<Agent> = {}): Agent => anAgent({ tools: [readLog()], ...parts });

const withStore = (how: How = {}) => {
  const objects = objectsInMemory();
  return { objects, how: { ...how, results: storedResultsOf({ objects }, SESSION) } };
};

const idIn = (text: string): string => /res_[0-9a-f]{10}/.exec(text)?.[0] ?? "";

describe("a large result of a tool", () => {
  test("is shown with its head and tail, and stored whole", async () => {
    const { objects, how } = withStore({ agent: offloading() });
    const { models, prompts } = calling(["read_log"]);
    const run = await runAgent("what is in the log?", { ...how, models });
    const shown = messageText(prompts.at(-1)?.at(-1));
    expect(shown).toMatch(
      /^<result id="res_[0-9a-f]{10}" tool="read_log" lines="3000" size="\d+">\nline 1\n/,
    );
    expect(shown).toContain("line 3000\n</result>");
    expect(shown.length).toBeLessThan(1_600);
    const [tool] = run.outcome.output.tools ?? [];
    expect(tool).toMatchObject({
      result: shown,
      stored_result: { lines: 3_000, chars: LONG.length, stored: true },
    });
    expect([...objects.held.values()].map((bytes) => new TextDecoder().decode(bytes))).toEqual([LONG]);
    expect(eventsOf(run, "ToolCallCompleted")[0]?.tool.result).toBe(LONG);
  });

  test("is shown whole to an agent that wants that, which has no tools for it either", async () => {
    const { objects, how } = withStore({ agent: offloading({ offload_tool_results: false }) });
    const { models, prompts } = calling(["read_log"], ["read_result", { result_id: "res_0123456789" }]);
    await runAgent("what is in the log?", { ...how, models });
    expect(messageText(prompts[1]?.at(-1))).toBe(LONG);
    expect(messageText(prompts[2]?.at(-1))).toContain("There is no tool named read_result.");
    expect(objects.held.size).toBe(0);
  });

  test("is shown whole to an agent that has a tool of its own with such a name", async () => {
    const own = { ...readLog("4711"), name: "read_result" };
    const { objects, how } = withStore({
      agent: offloading({ tools: [readLog(), own], tool_call_limit: 2 }),
    });
    const { models, prompts } = calling(["read_log"], ["read_result"], ["read_log"]);
    await runAgent("what is in the log?", { ...how, models });
    expect(messageText(prompts[1]?.at(-1))).toBe(LONG);
    expect(messageText(prompts[2]?.at(-1))).toBe("4711");
    expect(prompts).toHaveLength(3);
    expect(objects.held.size).toBe(0);
  });

  test("is found again by a search and by reading on, which count for no limit of tool calls", async () => {
    const { how } = withStore({ agent: offloading({ tool_call_limit: 2 }) });
    let id = "";
    const { models, prompts } = calling(["read_log"], ["search_result"], ["read_result"], ["read_log"]);
    const { resolve } = models;
    // The model copies the id out of what it is shown.
    const copying = {
      ...models,
      resolve: async (spec?: string) => {
        const resolved = await resolve(spec);
        const doStream: typeof resolved.model.doStream = async (options) => {
          id = idIn(messageText(options.prompt.at(-1))) || id;
          const { stream } = await resolved.model.doStream(options);
          const args = {
            search_result: { pattern: "code is \\d+" },
            read_result: { start_line: 1777, end_line: 1777 },
          };
          return {
            stream: stream.pipeThrough(
              new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
                transform: (part, out) =>
                  out.enqueue(
                    part.type === "tool-call" && part.toolName in args
                      ? {
                          ...part,
                          input: JSON.stringify({
                            result_id: id,
                            ...args[part.toolName as keyof typeof args],
                          }),
                        }
                      : part,
                  ),
              }),
            ),
          };
        };
        return { ...resolved, model: Object.assign(Object.create(resolved.model), { doStream }) };
      },
    };
    const run = await runAgent("what is the code?", { ...how, models: copying });
    expect(messageText(prompts[2]?.at(-1))).toContain("1777: line 1777 the code is 4711");
    expect(messageText(prompts[3]?.at(-1))).toContain(
      '<lines from="1777" to="1777" of="3000">\nline 1777 the code is 4711',
    );
    const names = run.outcome.output.tools?.map(({ tool_name, tool_call_error }) => [
      tool_name,
      tool_call_error,
    ]);
    expect(names).toEqual([
      ["read_log", false],
      ["search_result", false],
      ["read_result", false],
      ["read_log", false],
    ]);
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "Done." });
  });

  test("is shown with its head and tail alone where its session has no room left for it", async () => {
    const { objects, how } = withStore({ agent: offloading() });
    const results = storedResultsOf({ objects }, SESSION, async () => false);
    const { models, prompts } = calling(["read_log"]);
    const run = await runAgent("what is in the log?", { ...how, results, models });
    const shown = messageText(prompts.at(-1)?.at(-1));
    expect(shown).toMatch(/^<result id="res_[0-9a-f]{10}" .* stored="false">\nline 1\n/);
    expect(shown).toContain("characters are lost");
    expect(run.outcome.output.tools?.[0]?.stored_result).toMatchObject({ stored: false });
    expect(objects.held.size).toBe(0);
  });

  test("stays whole where the store fails", async () => {
    const { objects, how } = withStore({ agent: offloading() });
    objects.isDown = true;
    const warned: string[] = [];
    const { models, prompts } = calling(["read_log"]);
    const run = await runAgent("go", { ...how, models, warn: (text) => void warned.push(text) });
    expect(messageText(prompts.at(-1)?.at(-1))).toBe(LONG);
    expect(warned).toEqual(["a large result could not be stored"]);
    expect(run.outcome.output.status).toBe("COMPLETED");
  });

  test("is the answer as it is where its tool ends the run", async () => {
    const tool = { ...readLog(), stop_after_tool_call: true };
    const { objects, how } = withStore({ agent: offloading({ tools: [tool] }) });
    const run = await runAgent("go", { ...how, models: calling(["read_log"]).models });
    expect(run.outcome.output.content).toBe(LONG);
    expect(objects.held.size).toBe(0);
  });

  test("that comes again is a repetition, although each call's id is another", async () => {
    const { how } = withStore({ agent: offloading({ loop_limit: 3 }) });
    const { models, prompts } = calling(...Array.from({ length: 9 }, (): Call => ["read_log"]));
    await runAgent("go", { ...how, models });
    expect(prompts).toHaveLength(4);
    expect(messageText(prompts.at(-1)?.at(-1))).toContain("has now been called 3 times with the same result");
  });
});

describe("the tools that read stored results", () => {
  const stored = async (text: string) => {
    const objects = objectsInMemory();
    const results = storedResultsOf({ objects }, SESSION);
    await results.put("res_0123456789", text);
    const [read, search] = resultToolsFor(results);
    const call = async (tool: typeof read, args: object) =>
      String(await tool?.execute?.({ result_id: "res_0123456789", ...args }, {} as never));
    return { objects, read: (args = {}) => call(read, args), search: (args: object) => call(search, args) };
  };

  test("give every character of a megabyte in one line, page by page", async () => {
    const text = Array.from({ length: 100_000 }, (_, i) => `${i}😀é`).join(",");
    const { read } = await stored(text);
    let seen = "";
    let next: object | undefined = {};
    for (let pages = 0; next && pages < 100; pages += 1) {
      const page = await read(next);
      seen += /^<lines [^>]*>\n([\s\S]*)\n<\/lines>\n/.exec(page)?.[1];
      const [, start_line, start_char] =
        /Go on with start_line=(\d+)(?:, start_char=(\d+))?\.$/.exec(page) ?? [];
      next = start_line
        ? { start_line: Number(start_line), ...(start_char && { start_char: Number(start_char) }) }
        : undefined;
    }
    expect(seen === text).toBe(true);
  });

  test("show what is around a match in a long line", async () => {
    const { search } = await stored(`${"x".repeat(500_000)} needle ${"y".repeat(500_000)}`);
    const found = await search({ pattern: "NEEDLE" });
    expect(found).toContain(" needle ");
    expect(found.length).toBeLessThan(500);
  });

  test("know no id of another session, and none that is no id", async () => {
    const { objects, read } = await stored("text");
    const [foreign] = resultToolsFor(storedResultsOf({ objects }, { ...SESSION, session_id: "session-2" }));
    const ask = async (result_id: string) => foreign?.execute?.({ result_id }, {} as never);
    await expect(ask("res_0123456789")).rejects.toThrow("no stored result res_0123456789 in this session");
    await expect(read({ result_id: "../session-1/results/res_0123456789" })).rejects.toThrow(
      "no stored result",
    );
  });

  test("give up a pattern that would take for ever, when its time is over", () => {
    const startedMs = performance.now();
    const search = () => searchText(`${"a".repeat(40)}!`, "^(a+)+$", 0, 8_000, 100);
    expect(search).toThrow("The search took too long. Search with a simpler pattern.");
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(() => searchText("text", "(", 0, 8_000)).toThrow("no regular expression");
  });
});

describe("stored results", () => {
  test("are refused above eight megabytes, and go with the prefix of their session", async () => {
    const objects = objectsInMemory();
    const results = storedResultsOf({ objects }, SESSION);
    expect(await results.put("res_0000000001", "x".repeat(8_000_001))).toBe(false);
    expect(await results.put("res_0000000002", "kept")).toBe(true);
    await objects.removeAll(sessionObjects(SESSION.owner, SESSION.session_id));
    expect(await results.get("res_0000000002")).toBeUndefined();
  });

  test("are copied with the runs that name them, also those of members", async () => {
    const objects = objectsInMemory();
    const results = storedResultsOf({ objects }, SESSION);
    await results.put("res_0000000001", "of the leader");
    await results.put("res_0000000002", "of a member");
    const named = (result_id: string) => ({ tools: [{ stored_result: { result_id } }] });
    const ids = storedResultIds({ ...named("res_0000000001"), member_responses: [named("res_0000000002")] });
    const to = { owner: "nora", session_id: "session-2" };
    await copyResults({ objects }, [...ids, "res_0000000003"], SESSION, to);
    await objects.removeAll(sessionObjects(SESSION.owner, SESSION.session_id));
    const copies = storedResultsOf({ objects }, to);
    expect(await Promise.all(ids.map(copies.get))).toEqual(["of the leader", "of a member"]);
  });
});
