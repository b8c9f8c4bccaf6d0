import type { TeamMode } from "../../schemas/components/team-modes.ts";
import { noteDeclaration } from "../tool/note-declaration.ts";
import {
  type Agent,
  type AgentSettings,
  agentDefaults,
  type DeclarationOf,
  withOwnTools,
  withSchemas,
} from "./agent.ts";

/** A member of a team. */
export type Member = Agent | Team;

/** A team as `registry/` declares it: a leader, which has everything that an agent has, and its members. */
export type Team = AgentSettings & {
  readonly kind: "team";
  readonly mode: TeamMode;
  readonly members: readonly Member[];
  /** Whether the team's stream includes the events of its members' runs. */
  readonly stream_member_events: boolean;
  /** Whether a member is shown what other members of the same run were asked and answered. */
  readonly share_member_interactions: boolean;
  /** Whether a member is shown the team's history beside its task. */
  readonly add_team_history_to_members: boolean;
  /** Whether the leader may look up who the members are and what they can do. */
  readonly get_member_information_tool: boolean;
  /** How many runs of the team's history members are shown; `num_history_runs` when absent. */
  readonly num_team_history_runs?: number;
  /** Whether the leader words the task of a member; else a member gets the run's message as it is. */
  readonly determine_input_for_members: boolean;
  /** Most rounds of a team in `tasks` mode. */
  readonly max_iterations: number;
};

const teamDefaults = {
  ...agentDefaults,
  mode: "coordinate",
  stream_member_events: true,
  share_member_interactions: false,
  add_team_history_to_members: false,
  get_member_information_tool: false,
  determine_input_for_members: true,
  max_iterations: 10,
} as const satisfies Partial<Team>;

type TeamDeclaration = Pick<Team, "id" | "name" | "members"> & DeclarationOf<Team>;

/** Declares a team; what is left out takes the wire's default. @throws Error when two members have one id, or a schema is none */
export function defineTeam(declared: TeamDeclaration): Team {
  const ids = declared.members.map(({ id }) => id);
  const duplicate = ids.find((id, i) => ids.indexOf(id) !== i);
  if (duplicate !== undefined)
    throw new Error(`team ${declared.id} has two members with the id ${duplicate}`);
  return noteDeclaration(
    withOwnTools({ kind: "team", ...teamDefaults, ...withSchemas(`the team ${declared.id}`, declared) }),
  );
}
