import * as v from "valibot";
import type { Team } from "../define/team.ts";

/** The argument that names a member. The error for another id lists the members. */
export const memberId = ({ members }: Team) =>
  v.pipe(
    v.picklist(
      members.map(({ id }) => id),
      `is no member; members are ${members.map(({ id }) => id).join(", ")}`,
    ),
    v.description("id of the member"),
  );
