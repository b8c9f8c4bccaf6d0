import type { KnowledgeQuestion, SearchKnowledge } from "../ports/knowledge-port.ts";
import type { TraceSpan } from "../ports/trace-span.ts";

/** Searches within a span. */
export const traceSearch =
  (search: SearchKnowledge, parent: TraceSpan | undefined): SearchKnowledge =>
  async (question) => {
    const span = parent?.child(searchSpan(question));
    try {
      const found = await search(question);
      span?.end({ output: JSON.stringify(found.map(({ name }) => name)), documents: found.length });
      return found;
    } catch (error) {
      span?.end({ error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };

const searchSpan = ({ base, query }: KnowledgeQuestion) => ({
  key: `search:${base}:${query}`,
  name: `${base}.search`,
  kind: "RETRIEVER" as const,
  input: query,
});
