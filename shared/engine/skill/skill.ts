/** A skill as the build has found it: what a run needs of it before the model asks for more. */
export type Skill = {
  /** Path of its folder from the folder of the registry, with slashes, such as `skills/refunds`. */
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  /** What it needs around it, in its author's words; shown with its instructions. */
  readonly compatibility?: string;
  /** Names of tools in its author's words. They permit nothing here. */
  readonly allowed_tools?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Paths below `scripts/`, sorted. */
  readonly scripts: readonly string[];
  /** Paths below `references/`, sorted. */
  readonly references: readonly string[];
  /** Paths of its other files that are text, from its own folder, sorted. */
  readonly assets: readonly string[];
  /** Of a skill that a stored component brings along; those of the others are in the bundle. */
  readonly texts?: SkillTexts;
};

/** What is wrong with a folder that is to be a skill, and where. */
export type SkillProblem = {
  /** Path from the folder of the registry. */
  readonly file: string;
  /** From 1; absent where it is about the file as a whole. */
  readonly line?: number;
  readonly text: string;
};

/** Texts of one skill's files by their path from its folder. */
export type SkillTexts = Readonly<Record<string, string>>;

/** Where the file with a skill's frontmatter and instructions is among its texts, whatever the case of its name. */
export const INSTRUCTIONS = "SKILL.md";
