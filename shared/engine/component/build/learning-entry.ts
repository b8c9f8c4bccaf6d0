import * as v from "valibot";
import {
  type LearningMode,
  type LearningModes,
  learningKindNames,
  learningModes,
} from "../../recall/learning-kind.ts";

const Mode = v.picklist(learningModes);
const KindSetting = v.union([v.boolean(), Mode, v.object({ mode: v.optional(Mode, "agentic") })]);
type KindSetting = v.InferOutput<typeof KindSetting>;

const modeOf = (setting: KindSetting): LearningMode | undefined =>
  typeof setting === "boolean"
    ? setting
      ? "agentic"
      : undefined
    : typeof setting === "string"
      ? setting
      : setting.mode;

/**
 * What a stored agent learns, and how: for each kind a boolean, a mode, or an object with a mode. An object that names
 * no kind only says that the agent learns.
 */
export const LearningEntry = v.pipe(
  v.record(v.string(), v.unknown()),
  v.rawTransform<Record<string, unknown>, boolean | LearningModes>(({ dataset, addIssue }) => {
    const modes: Record<string, LearningMode> = {};
    const named = learningKindNames.filter((name) => dataset.value[name] !== undefined);
    for (const name of named) {
      const setting = v.safeParse(KindSetting, dataset.value[name]);
      if (!setting.success)
        addIssue({ message: `${name}: expected true, false or one of ${learningModes.join(", ")}` });
      const mode = setting.success ? modeOf(setting.output) : undefined;
      if (mode !== undefined) modes[name] = mode;
    }
    return named.length === 0 ? true : modes;
  }),
);
