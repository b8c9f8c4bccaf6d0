/** Frontmatter of a `SKILL.md` without its marks, and what is below it. */
type SkillFile = { readonly head: string; readonly body: string };

/** The two parts of a `SKILL.md`; undefined where its frontmatter has no end. */
export function partsOfSkill(file: string): SkillFile | undefined {
  const parts = /^---[ \t]*\n(?:(.*?)\n)?---[ \t]*(?:\n(.*))?$/s.exec(file);
  return parts ? { head: parts[1] ?? "", body: parts[2] ?? "" } : undefined;
}

/** The instructions of a skill, as a model reads them: its file without the frontmatter. */
export const instructionsIn = (file: string): string => (partsOfSkill(file)?.body ?? file).trim();
