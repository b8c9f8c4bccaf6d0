import { allEqual } from "../../domain/knowledge/matches-filter.ts";
import { baseNamed, type Knowledge, searchBase } from "../../knowledge/index.ts";
import { metadataKeys } from "../../stores/knowledge/put-content.ts";
import type { KnowledgeQuestion, SearchKnowledge } from "../ports/engine-ports.ts";
import type { SpanEnd, SpanStart, TraceSpan } from "../ports/tracing.ts";

/** The search for runs: over content of their user, and shared content. Each has a span, and in it one for its embedding. */
export const connectSearch =
  (knowledge: Knowledge): SearchKnowledge =>
  async (question, parent) => {
    const base = baseNamed(knowledge, question.base);
    const { max_results } = base;
    const { query, filter, chosen, user_id } = question;
    return within(parent, searchSpan(question, max_results), async (span) => {
      const visibility = { knowledge_id: base.id, owner: user_id };
      const known = Object.keys(chosen).length > 0 ? await metadataKeys(knowledge.db, visibility) : [];
      const narrowed = allEqual(
        Object.fromEntries(Object.entries(chosen).filter(([key]) => known.includes(key))),
      );
      const found = await searchBase({ ...knowledge, embedder: traced(knowledge.embedder, span) }, base, {
        query,
        filter: { op: "AND", conditions: [filter, narrowed] },
        max_results,
        owner: user_id,
      });
      const documents = found.map(({ content, name: document, meta_data }) => ({
        content,
        ...(document !== null && { name: document }),
        meta_data: meta_data ?? {},
      }));
      const names = JSON.stringify(documents.map(({ name }) => name));
      return { value: documents, end: { output: names, documents: documents.length } };
    });
  };

const searchSpan = ({ base, query }: KnowledgeQuestion, top_k: number): SpanStart => ({
  key: `search:${base}:${query}`,
  name: `${base}.search`,
  kind: "RETRIEVER",
  input: query,
  facts: { data_source: base, top_k },
});

/** An embedder whose calls have spans. One that counts words in this process calls no model, so it has none. */
function traced(embedder: Knowledge["embedder"], parent: TraceSpan | undefined): Knowledge["embedder"] {
  const { server } = embedder;
  const [, model] = /^[^:]+:(.+)$/.exec(embedder.id) ?? [];
  if (model === undefined) return embedder;
  const start: SpanStart = {
    key: "embeddings",
    name: `${model}.embed`,
    kind: "EMBEDDING",
    facts: { model, provider: embedder.provider, ...(server !== undefined && { server_address: server }) },
  };
  return {
    ...embedder,
    embed: (texts, purpose) =>
      within(parent, start, async () => ({ value: await embedder.embed(texts, purpose), end: {} })),
  };
}

/** Works within a span; a failure of the work is the span's. */
async function within<T>(
  parent: TraceSpan | undefined,
  start: SpanStart,
  work: (span: TraceSpan | undefined) => Promise<{ readonly value: T; readonly end: SpanEnd }>,
): Promise<T> {
  const span = parent?.child(start);
  try {
    const { value, end } = await work(span);
    span?.end(end);
    return value;
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    span?.end({ error: message, error_type: name });
    throw error;
  }
}
