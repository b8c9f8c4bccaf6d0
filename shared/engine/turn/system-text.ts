import type { TeamMode } from "../../schemas/components/team-modes.ts";
import type { AgentSettings, Instructions } from "../define/agent.ts";
import type { Member, Team } from "../define/team.ts";
import { type Execution, runContextOf } from "../run/execution.ts";
import type { Skill } from "../skill/skill.ts";
import { skillsOf } from "../skill/skills-of.ts";
import type { RunContext } from "../tool/tool.ts";

/** What a placeholder stands for, where a person or a client may have written it. */
export type Inserted = { readonly origin: "session_state" | "dependencies"; readonly value: unknown };

/**
 * The text of a run's system message, empty when the agent sets nothing for it, and what was inserted in it. What differs
 * from run to run is in the context block, so that the system message stays what a provider has cached.
 */
export async function systemText(
  execution: Execution,
): Promise<{ readonly text: string; readonly inserted: readonly Inserted[] }> {
  const { agent, request } = execution;
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
    agent.system_message === undefined ? skillText(skillsOf(agent)) : undefined,
    agent.add_name_to_context ? `Your name: ${agent.name}` : undefined,
    request.given_history?.instructions,
  ]);
  return { text, inserted: own.inserted };
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

const listed = (lines: string | readonly string[] | undefined): string | undefined =>
  typeof lines === "string" ? lines : lines?.map((line) => `- ${line}`).join("\n");

/** Parts of a text as paragraphs; those that are empty or undefined are left out. */
export const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n\n");

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

const HOW = `Skills are instructions for particular tasks. When a task fits the description of a skill, read its instructions with get_skill_instructions before you begin, and follow them. The name of a skill is not the name of a tool.`;

/**
 * What the system text says of skills: their names and descriptions and nothing of their files, however many they have. The
 * same skills give the same bytes.
 */
export function skillText(skills: readonly Skill[]): string | undefined {
  if (skills.length === 0) return undefined;
  const entries = skills.map(
    ({ name, description }) =>
      `<skill><name>${escaped(name)}</name><description>${escaped(description)}</description></skill>`,
  );
  return [HOW, "<available_skills>", ...entries, "</available_skills>"].join("\n");
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
