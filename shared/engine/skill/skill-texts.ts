import type { SkillTexts } from "./skill.ts";

/** The texts of every skill by its folder; see `declared-skills.ts`. Loaded when a model first asks for one. */
export const skillTexts: Readonly<Record<string, SkillTexts>> = {};
