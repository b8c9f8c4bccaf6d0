import { servedType } from "../../shared/domain/runs/media-types.ts";
import { mapRunMedia } from "../../shared/domain/runs/output-media.ts";
import { notFound } from "../../shared/errors.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import { MAX_ANSWER_BYTES } from "../../shared/http/max-answer-bytes.ts";
import type { sessionRoutes } from "../../shared/routes/sessions.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { Media } from "../../shared/schemas/runs/media.ts";
import { getObject } from "../../shared/stores/objects/object-bytes.ts";
import { objectName } from "../../shared/stores/objects/spill.ts";
import { runsFromNewest } from "../../shared/stores/runs/listing/list-runs-between.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";
import type { SessionsDeps } from "./sessions-deps.ts";
import { visibleSession } from "./visible-session.ts";

type Needs = Pick<SessionsDeps, "db" | "clock">;

/**
 * A stored file of a session, as bytes or as a signed address. Only what a run of the session names as a medium is
 * given: the session's other objects hold prompts and checkpoints.
 */
export const getSessionMedium: Handler<typeof sessionRoutes.getSessionMedium, Needs> = async (
  { params, query, principal },
  deps,
) => {
  const session = await visibleSession(deps.db, principal, params.session_id, query);
  const medium = await findMedium(session, params.key, deps);
  if (!medium?.object) throw notFound("medium", params.key);
  const { object, mime_type } = medium;
  const type = servedType(mime_type);
  if (query.redirect || object.bytes > MAX_ANSWER_BYTES) {
    return new Reply(307, undefined, { location: await deps.db.objects.sign(object.key, type) });
  }
  const headers = {
    "content-type": type,
    "x-content-type-options": "nosniff",
    ...(type === "application/octet-stream" && { "content-disposition": "attachment" }),
  };
  return new Reply(200, await getObject(deps.db, object), headers);
};

/** The medium with a key, of the newest run that has it. */
async function findMedium(
  { user_id, session_id }: StoredSession,
  key: string,
  { db, clock }: Needs,
): Promise<Media | undefined> {
  for await (const run of runsFromNewest(db, user_id, session_id, {}, epochSeconds(clock))) {
    let found: Media | undefined;
    mapRunMedia(run.output, (medium) => {
      if (medium.object && objectName(medium.object.key) === key) found = medium;
      return medium;
    });
    if (found) return found;
  }
  return undefined;
}
