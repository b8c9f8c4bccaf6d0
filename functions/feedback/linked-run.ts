import { ServiceError } from "../../shared/errors.ts";
import { type FeedbackLink, openLink } from "../../shared/outbound/index.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import { getSessionHead } from "../../shared/stores/sessions/session-item.ts";
import type { FeedbackDeps } from "./feedback-deps.ts";
import type { JudgedRun } from "./judged-run.ts";

type Needs = Pick<FeedbackDeps, "db" | "signingRoots" | "settings">;

/** The same for a link that was forged, one that has expired, and one whose session was removed. */
export const gone = (): ServiceError => new ServiceError("GONE", "this link is no longer valid");

/** What a link is about. @param now epoch seconds @throws ServiceError GONE */
export async function linkedRun(
  { db, signingRoots, settings }: Needs,
  token: string,
  now: number,
): Promise<{ readonly link: FeedbackLink } & Pick<JudgedRun, "run" | "session">> {
  const link = settings.FEEDBACK_LINKS === "on" ? openLink(await signingRoots(), token) : undefined;
  if (!link || link.expires_at <= now) throw gone();
  const session = await getSessionHead(db, link.session_id);
  const run = session && (await getRunHead(db, { ...link, owner: session.user_id }, now));
  if (!session || !run) throw gone();
  return { link, run, session };
}
