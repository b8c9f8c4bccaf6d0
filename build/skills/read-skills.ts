import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { entriesBelow, mayHoldSources } from "../../local/machine/entries-below.ts";
import {
  INSTRUCTIONS,
  type Skill,
  type SkillProblem,
  type SkillTexts,
} from "../../shared/engine/skill/skill.ts";
import { skillOfFiles } from "../../shared/engine/skill/skill-of-files.ts";

/** The folder beside a registry that holds its skills. */
export const SKILLS = "skills";

/** What the skills of a registry are, what is wrong with them, and the files that were read for that. */
export type FoundSkills = {
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
  /** By the folder of the skill. */
  readonly texts: Readonly<Record<string, SkillTexts>>;
  /** Whole paths, sorted. */
  readonly files: readonly string[];
};

/** Functions hold these texts in memory once a model has asked for one. */
const MAX_FILE_BYTES = 256 * 1_024;
const MAX_SKILL_BYTES = 2 * 1_024 * 1_024;
const MAX_ALL_BYTES = 8 * 1_024 * 1_024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the skills below a registry's `skills/`: every folder with a `SKILL.md`. The same files give the same answer on every
 * machine. Links are not followed, so nothing outside of the folder is read; hidden files are left out, and of files that are
 * no text, such as pictures, neither path nor content is kept.
 *
 * @param home  folder of the registry
 */
export function readSkills(home: string): FoundSkills {
  const paths = entriesBelow(join(home, SKILLS), mayHoldSources)
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => relative(home, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  const folders = foldersOf(paths);
  const found = folders.map((folder) => readSkill(home, folder, paths));
  const whole = found.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    skills: found.flatMap(({ skill }) => skill ?? []),
    problems: [
      ...found.flatMap(({ problems }) => problems),
      ...sameNames(found.flatMap(({ skill }) => skill ?? [])),
      ...(whole > MAX_ALL_BYTES ? [tooLarge(SKILLS, whole, MAX_ALL_BYTES)] : []),
    ],
    texts: Object.fromEntries(found.map(({ folder, texts }) => [folder, texts])),
    files: paths.map((path) => join(home, path)),
  };
}

/** A skill within a skill is one of its files. */
function foldersOf(paths: readonly string[]): string[] {
  const all = [...new Set(paths.filter(isInstructions).map((path) => path.slice(0, path.lastIndexOf("/"))))];
  return all.filter((folder) => !all.some((other) => folder.startsWith(`${other}/`)));
}

const isInstructions = (path: string): boolean => /\/(SKILL|skill)\.md$/.test(path);

type Read = {
  readonly folder: string;
  readonly skill?: Skill;
  readonly texts: SkillTexts;
  readonly problems: readonly SkillProblem[];
  readonly bytes: number;
};

function readSkill(home: string, folder: string, paths: readonly string[]): Read {
  const own = paths
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1));
  const instructionsFile = own.includes(INSTRUCTIONS) ? INSTRUCTIONS : "skill.md";
  const contents = own.map((path) => ({ path, bytes: readFileSync(join(home, folder, path)) }));
  const bytes = contents.reduce((sum, one) => sum + one.bytes.length, 0);
  const texts = Object.fromEntries(
    contents.flatMap(({ path, bytes }) => {
      const text = textOf(bytes);
      return text === undefined ? [] : [[path, text]];
    }),
  );
  const at = (path: string): string => `${folder}/${path}`;
  const large = [
    ...contents
      .filter((one) => one.bytes.length > MAX_FILE_BYTES && texts[one.path] !== undefined)
      .map((one) => tooLarge(at(one.path), one.bytes.length, MAX_FILE_BYTES)),
    ...(bytes > MAX_SKILL_BYTES ? [tooLarge(folder, bytes, MAX_SKILL_BYTES)] : []),
  ];
  const read = skillOfFiles(folder, texts);
  if ("problems" in read) {
    const problems = read.problems.map((one) => ({ file: at(instructionsFile), ...one }));
    return { folder, texts: {}, problems: [...problems, ...large], bytes };
  }
  return { folder, ...read, problems: large, bytes };
}

/** With one form of line ends, so that a checkout on another system gives the same bytes. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return utf8.decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    return undefined;
  }
}

const tooLarge = (file: string, bytes: number, most: number): SkillProblem => ({
  file,
  text: `it has ${Math.ceil(bytes / 1_024)} KB, and ${most / 1_024} KB are the most`,
});

/** A model names a skill by its name alone. */
const sameNames = (skills: readonly Skill[]): SkillProblem[] =>
  [...Map.groupBy(skills, ({ name }) => name).values()].flatMap((group) =>
    group.slice(1).map(({ folder, name }) => ({
      file: `${folder}/${INSTRUCTIONS}`,
      text: `${group[0]?.folder} has the name ${name} already; give each skill a name of its own`,
    })),
  );
