import { beforeAll, describe, expect, test } from "vitest";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { clientOf } from "../support/client.ts";
import { allScopes, knowledgeOf } from "./knowledge-client.ts";
import type { SourcesWorld } from "./sources-world.ts";

/** Tests of agents that search a base. */
export function agentsThatLookUp({ platform, maria, handbook }: SourcesWorld): void {
  describe("an agent with knowledge", () => {
    const ask = async (
      args: object,
      form: Record<string, string> = {},
      client = maria,
    ): Promise<RunOutput> => {
      const message = `[[tool:search_knowledge_base ${JSON.stringify(args)}]]`;
      return (await client.post("/agents/librarian/runs", { form: { message, stream: "false", ...form } }))
        .json;
    };
    const namesIn = ({ references = [] }: RunOutput) =>
      references.flatMap((one) => one.references.map(({ name }) => name));

    beforeAll(async () => {
      const say = (text_content: string, name: string, metadata: object, as = handbook) =>
        as.added({ text_content, name, metadata: JSON.stringify(metadata) });
      await say("Breakfast is at seven.", "breakfast", { topic: "meals", year: 2026 });
      await say("Breakfast was at eight.", "old breakfast", { topic: "meals", year: 2025 });
      const ottos = knowledgeOf(
        clientOf(platform.url, platform.token("otto", allScopes)),
        handbook.path().split("?")[1],
      );
      await say("Otto takes breakfast in bed.", "otto's breakfast", { topic: "meals", year: 2026 }, ottos);
    });

    test("says so, and what it may do", async () => {
      const { json } = await maria.get("/agents/librarian");
      expect(json.knowledge).toEqual({
        name: "handbook",
        db_id: "main",
        knowledge_table: "knowledge_contents",
        enable_agentic_knowledge_filters: true,
        references_format: "json",
      });
      expect(json.tools.tools.map(({ name }: { name: string }) => name)).toContain("search_knowledge_base");
    });

    test("looks up what its user may see, and the run shows what it was shown", async () => {
      const run = await ask({ query: "when is breakfast" });
      expect(run.status).toBe("COMPLETED");
      expect(namesIn(run)).toEqual(expect.arrayContaining(["breakfast", "old breakfast"]));
      expect(namesIn(run)).not.toContain("otto's breakfast");
      expect(run.references).toMatchObject([
        {
          query: "when is breakfast",
          references: expect.arrayContaining([
            {
              content: "Breakfast is at seven.",
              name: "breakfast",
              meta_data: expect.objectContaining({ year: 2026 }),
            },
          ]),
          time: expect.any(Number),
        },
      ]);
      const stored = await maria.get(`/agents/librarian/runs/${run.run_id}?session_id=${run.session_id}`);
      expect(stored.json.references).toEqual(run.references);
    });

    test("keeps to the filters of the request, whatever form they have, and lets the model narrow them", async () => {
      const names = async (filters: object, args: object = {}) =>
        namesIn(await ask({ query: "breakfast", ...args }, { knowledge_filters: JSON.stringify(filters) }));
      expect(await names({ year: 2025 })).toEqual(["old breakfast"]);
      expect(await names({ op: "GT", key: "year", value: 2025 })).toEqual(["breakfast"]);
      expect(await names({ op: "NOT", condition: { op: "EQ", key: "topic", value: "meals" } })).not.toContain(
        "breakfast",
      );
      expect(
        await names([
          { op: "STARTSWITH", key: "topic", value: "me" },
          { op: "IN", key: "year", values: [2026] },
        ]),
      ).toEqual(["breakfast"]);
      expect(await names({ topic: "meals" }, { filters: { year: 2025 } })).toEqual(["old breakfast"]);
      expect(await names({ year: 2025 }, { filters: { zebra: 1 } })).toEqual(["old breakfast"]);
      expect(await names({ year: 2025 }, { filters: { year: 2026 } })).toEqual([]);
    });

    test("shows in its stream what it was shown", async () => {
      const form = { message: '[[tool:search_knowledge_base {"query":"breakfast"}]]' };
      const { text } = await maria.post("/agents/librarian/runs", { form });
      const completed = text.split("\n\n").find((frame) => frame.startsWith("event: RunCompleted"));
      expect(completed).toContain('"references":[{"query":"breakfast"');
    });

    test("works in the background too", async () => {
      const message = '[[tool:search_knowledge_base {"query":"breakfast"}]]';
      const form = { message, stream: "false", background: "true" };
      const { json } = await maria.post("/agents/librarian/runs", { form });
      const path = `/agents/librarian/runs/${json.run_id}?session_id=${json.session_id}`;
      await expect.poll(async () => (await maria.get(path)).json.status).toBe("COMPLETED");
      expect(namesIn((await maria.get(path)).json)).toContain("breakfast");
    });
  });
}
