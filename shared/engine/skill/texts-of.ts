import type { Skill, SkillTexts } from "./skill.ts";

/** The texts of a skill's files. They are loaded when one is first asked for: a run that reads no skill does not pay for them. */
export async function textsOf({ folder, texts }: Skill): Promise<SkillTexts> {
  if (texts) return texts;
  const { skillTexts } = await import("./skill-texts.ts");
  return skillTexts[folder] ?? {};
}
