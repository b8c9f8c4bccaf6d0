import { memberKeys } from "./agent-keys.ts";
import { type ConfigKeys, ignored, works } from "./config-key.ts";

const byMode = "`mode` decides where both are given";

/** @source docs/interface/components.md 5.1 */
export const teamKeys: ConfigKeys = {
  ...memberKeys,
  introduction: works("shown to clients"),
  members: works("agents and teams by id"),
  mode: works(),
  respond_directly: works(`without a mode: route; ${byMode}`),
  delegate_to_all_members: works(`without a mode: broadcast; ${byMode}`),
  determine_input_for_members: works("false: a member gets the run's message"),
  max_iterations: works("of a team in the mode tasks"),
  add_team_history_to_members: works(),
  num_team_history_runs: works("as `num_history_runs` without it"),
  share_member_interactions: works(),
  get_member_information_tool: works(),
  stream_member_events: works(),
  build_context: ignored("the system text is always built", [true]),
  add_member_tools_to_context: ignored("the leader is shown the names of members' tools", [true]),
  store_member_responses: ignored("members' runs are stored", [true]),
  show_members_responses: ignored("members' runs are beside the team's", [true, false]),
};
