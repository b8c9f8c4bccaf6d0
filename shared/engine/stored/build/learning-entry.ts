import * as v from "valibot";
import {
  type LearningMode,
  type LearningModes,
  learningKindNames,
  learningModes,
} from "../../learning/learning-modes.ts";

const Mode = v.picklist(learningModes);
const How = v.union([v.boolean(), Mode, v.object({ mode: v.optional(Mode, "agentic") })]);
type How = v.InferOutput<typeof How>;

const modeOf = (how: How): LearningMode | undefined =>
  typeof how === "boolean" ? (how ? "agentic" : undefined) : typeof how === "string" ? how : how.mode;

/**
 * What a stored agent learns, and how: by kind whether, a mode, or an object with one. An object that names no kind says
 * no more than that it learns.
 *
 * @source contract, components-and-platform A7 and memories-and-learnings 3.6
 */
export const LearningEntry = v.pipe(
  v.record(v.string(), v.unknown()),
  v.rawTransform<Record<string, unknown>, boolean | LearningModes>(({ dataset, addIssue }) => {
    const modes: Record<string, LearningMode> = {};
    const named = learningKindNames.filter((name) => dataset.value[name] !== undefined);
    for (const name of named) {
      const how = v.safeParse(How, dataset.value[name]);
      if (!how.success)
        addIssue({ message: `${name}: expected true, false or one of ${learningModes.join(", ")}` });
      const mode = how.success ? modeOf(how.output) : undefined;
      if (mode !== undefined) modes[name] = mode;
    }
    return named.length === 0 ? true : modes;
  }),
);
