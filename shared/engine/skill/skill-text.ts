import type { Skill } from "./skill.ts";

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
