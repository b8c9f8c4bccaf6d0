import * as v from "valibot";
import { expressionOf } from "../../domain/knowledge/matches-filter.ts";
import { type FilterExpression, KnowledgeFilters } from "../../schemas/knowledge/knowledge-filter.ts";
import { defineTool, type Tool } from "../tool/tool.ts";

export const SEARCH_TOOL = "search_knowledge_base";

const query = v.pipe(v.string(), v.description("what to look for, in words that the text may hold"));
const Question = v.object({ query });
const FilteredQuestion = v.object({
  query,
  filters: v.optional(
    v.pipe(
      v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
      v.description("metadata that the text must have: name and value"),
    ),
  ),
});

type Settings = Pick<KnowledgeSettings, "knowledge_filters" | "enable_agentic_knowledge_filters">;

/**
 * Lets a model search a knowledge base. The filters of agent and request always apply; the model may only narrow them
 * down.
 *
 * @source docs/interface/knowledge.md 7.3
 */
export function searchTool(base: string, settings: Settings): Tool {
  return defineTool({
    name: SEARCH_TOOL,
    description: `Search the knowledge base "${base}" for what is needed to answer.`,
    parameters: settings.enable_agentic_knowledge_filters ? FilteredQuestion : Question,
    effect: "safe",
    execute: async (args, { searchKnowledge, knowledge_filters }) => {
      const { query, filters: chosen = {} } = v.parse(FilteredQuestion, args);
      return searchKnowledge({ base, query, chosen, filter: filterOf(settings, knowledge_filters) });
    },
  });
}

/** The filter of every search of a run. @param requested  the filters of its request */
export const filterOf = (
  { knowledge_filters }: Pick<KnowledgeSettings, "knowledge_filters">,
  requested: unknown,
): FilterExpression => ({
  op: "AND",
  conditions: [knowledge_filters, requested].flatMap(expressionsOf),
});

/** A request's filters were validated when it came. Invalid ones that were stored before that fail the search. */
function expressionsOf(filters: unknown): FilterExpression[] {
  if (filters === undefined) return [];
  return [expressionOf(v.parse(KnowledgeFilters, filters))];
}

/** An agent's settings for the knowledge that it may search. */
export type KnowledgeSettings = {
  /** Name of the knowledge base that it may search, and whether it does. */
  readonly knowledge?: string;
  readonly search_knowledge: boolean;
  /** Whether each run begins with a search for its message, whose results the model is shown. */
  readonly add_knowledge_to_context: boolean;
  /** The filters of every search; a request may narrow them, and so may the model if the next setting is on. */
  readonly knowledge_filters?: KnowledgeFilters;
  readonly enable_agentic_knowledge_filters: boolean;
};
