import * as v from "valibot";
import { teamModes } from "../../../schemas/components/team-modes.ts";
import { defineTeam, type Member, type Team } from "../../define/team.ts";
import { buildSettings, type Parts, type StoredVersion } from "./build-settings.ts";
import type { Built } from "./built.ts";
import { childOf, type FindChild } from "./children.ts";
import { readSettings } from "./read-settings.ts";

const teamEntries = {
  mode: v.picklist(teamModes),
  stream_member_events: v.boolean(),
  share_member_interactions: v.boolean(),
  add_team_history_to_members: v.boolean(),
  get_member_information_tool: v.boolean(),
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

/** The team that a stored version describes, with its members. @source contract, components-and-platform A7, A8 */
export async function buildTeam(stored: StoredVersion, parts: Parts, find: FindChild): Promise<Built<Team>> {
  const { config } = stored.version;
  const settings = await buildSettings(stored, parts);
  const own = readSettings(config, teamEntries);
  const members = await buildMembers(config.members, find);
  return {
    value: defineTeam({ ...settings.value, ...own.value, members: members.value }),
    errors: [...settings.errors, ...own.errors, ...members.errors],
  };
}

async function buildMembers(config: unknown, find: FindChild): Promise<Built<Member[]>> {
  const parsed = v.safeParse(v.array(MemberConfig), config ?? []);
  if (!parsed.success) return { value: [], errors: ["members must be a list of agents and teams by id"] };
  const distinct = new Map(parsed.output.map((member) => [member.id, member]));
  const found = await Promise.all([...distinct.values()].map(({ type, id }) => childOf(find, type, id)));
  const errors = found.flatMap((member) => member.errors);
  return {
    value: found.flatMap(({ value }) => value ?? []),
    errors: distinct.size === parsed.output.length ? errors : [...errors, "members has an id twice"],
  };
}
