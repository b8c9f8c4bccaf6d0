import * as v from "valibot";
import { type TeamMode, teamModes } from "../../../schemas/components/team-modes.ts";
import { defineTeam, type Member, type Team } from "../../define/team.ts";
import { buildSettings, type Parts, type StoredVersion } from "./build-settings.ts";
import { type Built, unusable } from "./built.ts";
import { childOf, type FindChild } from "./children.ts";
import { readSettings } from "./read-settings.ts";

/** Settings that teams have beside those of their leaders. */
export const teamEntries = {
  mode: v.picklist(teamModes),
  stream_member_events: v.boolean(),
  share_member_interactions: v.boolean(),
  add_team_history_to_members: v.boolean(),
  get_member_information_tool: v.boolean(),
  determine_input_for_members: v.boolean(),
  num_team_history_runs: v.pipe(v.number(), v.integer(), v.minValue(0)),
  max_iterations: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
};

const MemberConfig = v.union([
  v.pipe(
    v.object({ team_id: v.string() }),
    v.transform(({ team_id }) => ({ type: "team" as const, id: team_id })),
  ),
  v.pipe(
    v.object({ agent_id: v.string() }),
    v.transform(({ agent_id }) => ({ type: "agent" as const, id: agent_id })),
  ),
]);

/** The team that a stored version describes, with its members. */
export async function buildTeam(stored: StoredVersion, parts: Parts, find: FindChild): Promise<Built<Team>> {
  const { config } = stored.version;
  const settings = await buildSettings(stored, parts, find);
  const own = readSettings(config, teamEntries);
  const members = await buildMembers(config.members, find);
  return {
    value: defineTeam({ ...settings.value, mode: modeOf(config), ...own.value, members: members.value }),
    faults: [...settings.faults, ...own.faults, ...members.faults],
  };
}

/** The mode of a team whose config names none. */
function modeOf({ respond_directly, delegate_to_all_members }: Readonly<Record<string, unknown>>): TeamMode {
  if (respond_directly === true) return "route";
  return delegate_to_all_members === true ? "broadcast" : "coordinate";
}

async function buildMembers(config: unknown, find: FindChild): Promise<Built<Member[]>> {
  const parsed = v.safeParse(v.array(MemberConfig), config ?? []);
  if (!parsed.success)
    return { value: [], faults: [unusable("members", "members must be a list of agents and teams by id")] };
  const distinct = new Map(parsed.output.map((member, at) => [member.id, { ...member, at }]));
  const found = await Promise.all(
    [...distinct.values()].map(({ type, id, at }) => childOf(find, type, id, `members[${at}].${type}_id`)),
  );
  const faults = found.flatMap((member) => member.faults);
  return {
    value: found.flatMap(({ value }) => value ?? []),
    faults:
      distinct.size === parsed.output.length
        ? faults
        : [...faults, unusable("members", "members has an id twice")],
  };
}
