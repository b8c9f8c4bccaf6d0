import type { TeamMode } from "../../schemas/components/team-modes.ts";
import { type AgentSettings, type Instructions, showsSummary } from "../define/agent.ts";
import type { Member, Team } from "../define/team.ts";
import type { LearningBook } from "../ports/engine-ports.ts";
import { KNOWN_MEMORIES, usesMemories } from "../recall/memory-settings.ts";
import { filterOf } from "../recall/search-tool.ts";
import { authorOf, type Execution, runContextOf } from "../run/execution.ts";
import type { RunContext } from "../tool/tool.ts";

/** What a placeholder stands for, where a person or a client may have written it. */
export type Inserted = { readonly origin: "session_state" | "dependencies"; readonly value: unknown };

/** The text of a run's system message, empty when the agent sets nothing for it, and what was inserted in it. */
export async function systemText(
  execution: Execution,
): Promise<{ readonly text: string; readonly inserted: readonly Inserted[] }> {
  const { agent, request, ports } = execution;
  const context = runContextOf(execution);
  const ownText =
    agent.system_message ??
    joined([
      agent.description,
      agent.role && `Your role: ${agent.role}`,
      listed(await instructionsOf(agent.instructions, context)),
      agent.expected_output && `Expected output: ${agent.expected_output}`,
      agent.additional_context,
      agent.markdown ? "Format the answer as Markdown." : undefined,
    ]);
  const own = resolved(ownText, agent, context);
  const text = joined([
    own.text,
    agent.kind === "team" && agent.system_message === undefined ? teamText(agent) : undefined,
    ...facts(agent, context, ports.clock.now()),
    await memoryText(execution),
    await learningText(execution),
    await knowledgeText(execution),
    summary(),
    request.briefing,
  ]);
  return { text, inserted: own.inserted };

  function summary(): string | undefined {
    const known = showsSummary(agent) ? request.session_summary : undefined;
    return known && `Summary of the conversation so far:\n${known.summary}`;
  }
}

/** Facts of this run. Placeholders in them are not resolved: a user's own braces stay as they are. */
function facts(agent: AgentSettings, context: RunContext, nowMs: number): (string | undefined)[] {
  const { session_state, dependencies } = context;
  return [
    agent.add_name_to_context ? `Your name: ${agent.name}` : undefined,
    agent.add_datetime_to_context ? `It is ${timeIn(agent.timezone_identifier, nowMs)}.` : undefined,
    agent.add_session_state_to_context ? jsonFact("State of the session", session_state) : undefined,
    agent.add_dependencies_to_context ? jsonFact("Context", dependencies) : undefined,
  ];
}

function resolved(text: string, { resolve_in_context }: AgentSettings, context: RunContext) {
  const inserted: Inserted[] = [];
  if (!resolve_in_context) return { text, inserted };
  const { session_state, dependencies, metadata, user_id } = context;
  const sources = [
    { origin: "session_state", values: session_state },
    { origin: "dependencies", values: dependencies },
    { origin: "dependencies", values: metadata },
    { values: user_id === null ? {} : { user_id } },
  ] as const;
  const complete = resolvePlaceholders(text, sources, (source, value) => {
    if ("origin" in source) inserted.push({ origin: source.origin, value });
  });
  return { text: complete, inserted };
}

async function instructionsOf(instructions: Instructions | undefined, context: RunContext) {
  return typeof instructions === "function" ? instructions(context) : instructions;
}

const jsonFact = (what: string, values: object): string | undefined =>
  Object.keys(values).length > 0 ? `${what}: ${JSON.stringify(values)}` : undefined;

const listed = (lines: string | readonly string[] | undefined): string | undefined =>
  typeof lines === "string" ? lines : lines?.map((line) => `- ${line}`).join("\n");

const timeIn = (timeZone = "UTC", nowMs: number): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long", timeZone }).format(nowMs);

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n");

/** The user's memories as system text; undefined when the agent does not show them, or there are none. */
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
 * What the agent's knowledge base has on the run's message, as system text; undefined when the agent does not ask for
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
    const found = await searchKnowledge({ base, query, chosen: {}, filter, user_id });
    return found.length > 0
      ? `What the knowledge base has on the message:\n${JSON.stringify(found)}`
      : undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    warn?.("knowledge could not be searched", { run_id: request.run_id, error: String(thrown) });
    return undefined;
  }
}

const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g;

type Source = { readonly values: Readonly<Record<string, unknown>> };

/**
 * Replaces placeholders by values: `{city}` becomes the value of `city`. An unknown name stays as it is, because braces
 * have other uses too.
 *
 * @param sources  searched in this order
 */
function resolvePlaceholders<S extends Source>(
  text: string,
  sources: readonly S[],
  onInsert: (source: S, value: unknown) => void,
): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const source = sources.find(({ values }) => Object.hasOwn(values, name));
    const value = source?.values[name];
    if (!source || value === undefined) return placeholder;
    onInsert(source, value);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** How many learnings the model is shown, the last changed ones, and how long they may be together. */
const MAX_LEARNINGS = 20;
const MAX_CHARS = 8_000;

/** The user's learnings as system text; undefined when the agent does not show them, or there are none. */
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

/** Instructions to the leader, by mode. */
const duties: Readonly<Record<TeamMode, string>> = {
  coordinate:
    "You lead a team. Hand each part of the request to the member who can do it best, read the answers, and write one answer of your own.",
  route:
    "You lead a team. Hand the request to the one member who can answer it: the member's words are the answer.",
  broadcast:
    "You lead a team. Every member has been given the request. Write one answer from theirs, and name where they disagree.",
  tasks:
    "You lead a team. Break the goal into tasks, say which member does each and which tasks must come first, run those that are ready, and declare the goal complete with a summary once nothing is left to do.",
};

/** The part of a leader's system text about its team. */
const teamText = ({ mode, members }: Team): string =>
  [
    duties[mode],
    "Members of the team:",
    ...members.map((member) => `- ${JSON.stringify(memberInformation(member))}`),
  ].join("\n");

export type MemberInformation = {
  readonly id: string;
  readonly name: string;
  readonly role?: string;
  readonly description?: string;
  readonly tools?: readonly string[];
  /** Given where the member is a team. */
  readonly members?: readonly MemberInformation[];
};

/** What a leader is shown of a member. */
export function memberInformation(member: Member): MemberInformation {
  const { id, name, role, description, tools } = member;
  return {
    id,
    name,
    ...(role !== undefined && { role }),
    ...(description !== undefined && { description }),
    ...(tools.length > 0 && { tools: tools.map((tool) => tool.name) }),
    ...(member.kind === "team" && { members: member.members.map(memberInformation) }),
  };
}
