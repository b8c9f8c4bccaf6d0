import { type ConfigKeys, works } from "./config-key.ts";

/** @source https://agentskills.io/specification: a skill is a folder with its name, and the files in it */
export const skillKeys: ConfigKeys = {
  id: works("the id of the component takes precedence"),
  name: works("that of the skill, as its `SKILL.md` has it"),
  files: works("texts by their path, one of them `SKILL.md`"),
  description: works("shown in lists of components; models are shown that of `SKILL.md`"),
  metadata: works("of the component; that of the skill is in `SKILL.md`"),
  require_eval: works(
    "ours: publishing a version needs a passing evaluation of the agent or team that `agent_id` or `team_id` names, in a version that uses it",
  ),
};
