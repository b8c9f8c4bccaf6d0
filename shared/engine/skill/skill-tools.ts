import * as v from "valibot";
import { nearestName } from "../../schemas/values/nearest-name.ts";
import { defineTool, type Tool } from "../tool/tool.ts";
import { INSTRUCTIONS, type Skill } from "./skill.ts";
import { instructionsIn } from "./skill-file.ts";
import { textsOf } from "./texts-of.ts";

const skill_name = v.pipe(v.string(), v.description("the name of the skill"));

/**
 * The tools by which a model reads skills, after it was shown their names and descriptions. A script is read as any other
 * file and never executed: what an agent may execute are its tools.
 */
export function skillTools(skills: readonly Skill[]): Tool[] {
  if (skills.length === 0) return [];
  const hasFiles = skills.some(({ references, assets }) => references.length + assets.length > 0);
  const hasScripts = skills.some(({ scripts }) => scripts.length > 0);
  return [
    instructionsTool(skills),
    ...(hasFiles ? [referenceTool(skills)] : []),
    ...(hasScripts ? [scriptTool(skills)] : []),
  ];
}

const instructionsTool = (skills: readonly Skill[]): Tool =>
  defineTool({
    name: "get_skill_instructions",
    description: "Read the instructions of a skill, and which files it has. Do so before you act on a skill.",
    parameters: v.object({ skill_name }),
    effect: "safe",
    execute: async ({ skill_name }) => {
      const skill = named(skills, skill_name);
      const { [INSTRUCTIONS]: file = "" } = await textsOf(skill);
      return {
        skill_name: skill.name,
        description: skill.description,
        ...(skill.compatibility !== undefined && { compatibility: skill.compatibility }),
        instructions: instructionsIn(file),
        available_references: skill.references,
        available_scripts: skill.scripts,
        ...(skill.assets.length > 0 && { available_assets: skill.assets }),
      };
    },
  });

const referenceTool = (skills: readonly Skill[]): Tool =>
  defineTool({
    name: "get_skill_reference",
    description: "Read a reference of a skill, or another of its files, that its instructions name.",
    parameters: v.object({
      skill_name,
      reference_path: v.pipe(v.string(), v.description("as the skill's instructions list it")),
    }),
    effect: "safe",
    execute: async ({ skill_name, reference_path }) => {
      const skill = named(skills, skill_name);
      const known = [...skill.references, ...skill.assets];
      const content = await textAt(skill, reference_path, "references", known);
      return { skill_name: skill.name, reference_path, content };
    },
  });

const scriptTool = (skills: readonly Skill[]): Tool =>
  defineTool({
    name: "get_skill_script",
    description: "Read the source of a script of a skill. It is not executed.",
    parameters: v.object({
      skill_name,
      script_path: v.pipe(v.string(), v.description("as the skill's instructions list it")),
    }),
    effect: "safe",
    execute: async ({ skill_name, script_path }) => {
      const skill = named(skills, skill_name);
      const content = await textAt(skill, script_path, "scripts", skill.scripts);
      return { skill_name: skill.name, script_path, content };
    },
  });

/** @throws Error, which the model is shown */
function named(skills: readonly Skill[], name: string): Skill {
  const wanted = name.trim().normalize("NFKC");
  const found = skills.find((skill) => skill.name === wanted);
  if (found) return found;
  throw new Error(`There is no skill ${name}. There are: ${skills.map((skill) => skill.name).join(", ")}.`);
}

/**
 * A text by a path that the model has written. It is looked up among the paths that the build has listed, so none leads
 * out of the skill.
 *
 * @param within  the folder that the path may leave out
 * @throws Error, which the model is shown
 */
async function textAt(
  skill: Skill,
  path: string,
  within: "references" | "scripts",
  known: readonly string[],
): Promise<string> {
  const wanted = path.replace(/^\.\//, "");
  const short = wanted.startsWith(`${within}/`) ? wanted.slice(within.length + 1) : wanted;
  const listed = known.includes(short) ? short : known.find((one) => one === wanted);
  if (listed === undefined) {
    const nearest = nearestName(short, known);
    const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
    throw new Error(`The skill ${skill.name} has no ${path}.${hint} It has: ${known.join(", ") || "none"}.`);
  }
  const texts = await textsOf(skill);
  const text = texts[`${within}/${listed}`] ?? texts[listed];
  if (text === undefined) throw new Error(`${path} of the skill ${skill.name} cannot be read.`);
  return text;
}
