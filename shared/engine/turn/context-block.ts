import { type AgentSettings, showsSummary } from "../define/agent.ts";
import type { LearningBook } from "../ports/engine-ports.ts";
import { KNOWN_MEMORIES, usesMemories } from "../recall/memory-settings.ts";
import { filterOf } from "../recall/search-tool.ts";
import { authorOf, type Execution, runContextOf } from "../run/execution.ts";
import type { RunContext } from "../tool/tool.ts";
import { requestedForm } from "./answer-form.ts";
import { joined } from "./system-text.ts";

/**
 * What a model is shown of the moment of a run: date, state, dependencies, memories, learnings, knowledge, summary,
 * briefing, and the form of the answer where the request sets one. It is made once a run and stands at the end of the
 * run's message, behind everything that a provider has cached.
 *
 * @returns undefined where there is nothing to show
 */
export async function contextBlock(execution: Execution): Promise<string | undefined> {
  const { agent, request, ports } = execution;
  const text = joined([
    ...facts(agent, runContextOf(execution), ports.clock.now()),
    await memoryText(execution),
    await learningText(execution),
    await knowledgeText(execution),
    showsSummary(agent) && request.session_summary
      ? `Summary of the conversation so far:\n${request.session_summary.summary}`
      : undefined,
    request.briefing,
    await requestedForm(execution),
  ]);
  return text === "" ? undefined : `<context>\n${text}\n</context>`;
}

/** Facts of this run. Placeholders in them are not resolved: a user's own braces stay as they are. */
function facts(agent: AgentSettings, context: RunContext, nowMs: number): (string | undefined)[] {
  const { session_state, dependencies } = context;
  return [
    agent.add_datetime_to_context ? `It is ${timeIn(agent.timezone_identifier, nowMs)}.` : undefined,
    agent.add_session_state_to_context ? jsonFact("State of the session", session_state) : undefined,
    agent.add_dependencies_to_context ? jsonFact("Context", dependencies) : undefined,
  ];
}

const jsonFact = (what: string, values: object): string | undefined =>
  Object.keys(values).length > 0 ? `${what}: ${JSON.stringify(values)}` : undefined;

const timeIn = (timeZone = "UTC", nowMs: number): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long", timeZone }).format(nowMs);

/** The user's memories as text; undefined when the agent does not show them, or there are none. */
async function memoryText({ agent, ports, request }: Execution): Promise<string | undefined> {
  const { memories: book, signal, warn } = ports;
  if (!book || !(agent.add_memories_to_context ?? usesMemories(agent))) return undefined;
  try {
    const known = await book.list(KNOWN_MEMORIES);
    if (known.length === 0) return undefined;
    return `What you remember of the user:\n${known.map(({ memory }) => `- ${memory}`).join("\n")}`;
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("memories could not be read", { run_id: request.run_id, error: String(thrown) });
    return undefined;
  }
}

/**
 * What the agent's knowledge base has on the run's message, as text; undefined when the agent does not ask for
 * it, or nothing was found.
 */
async function knowledgeText({ agent, ports, request }: Execution): Promise<string | undefined> {
  const { searchKnowledge, signal, warn } = ports;
  const { knowledge: base, add_knowledge_to_context } = agent;
  if (!searchKnowledge || !add_knowledge_to_context || base === undefined || request.input.trim() === "")
    return undefined;
  try {
    const filter = filterOf(agent, request.knowledge_filters);
    const { input: query, user_id } = request;
    const found = await searchKnowledge({ base, query, chosen: {}, filter, user_id }, ports.span);
    return found.length > 0
      ? `What the knowledge base has on the message:\n${JSON.stringify(found)}`
      : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("knowledge could not be searched", { run_id: request.run_id, error: String(thrown) });
    return undefined;
  }
}

/** How many learnings the model is shown, the last changed ones, and how long they may be together. */
const MAX_LEARNINGS = 20;
const MAX_CHARS = 8_000;

/** The user's learnings as text; undefined when the agent does not show them, or there are none. */
async function learningText({ agent, ports, request }: Execution): Promise<string | undefined> {
  const { learnings, signal, warn } = ports;
  if (!learnings || !agent.learning || !agent.add_learnings_to_context) return undefined;
  try {
    const lines = await learningLines(learnings(authorOf(agent)), request.session_id);
    return lines.length > 0 ? `What was learned before:\n${lines.join("\n")}` : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("learnings could not be read", { run_id: request.run_id, error: String(thrown) });
    return undefined;
  }
}

/** A line for each of the last learnings. The context of another session is left out. */
export async function learningLines({ recall }: LearningBook, session_id: string): Promise<string[]> {
  const recalled = await recall(MAX_LEARNINGS);
  const lines = recalled
    .filter((one) => one.learning_type !== "session_context" || one.session_id === session_id)
    .map(({ learning_type, content }) => `- ${learning_type}: ${JSON.stringify(content)}`);
  return lines.filter((_, i) => lines.slice(0, i + 1).join("\n").length <= MAX_CHARS);
}
