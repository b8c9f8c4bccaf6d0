import { isNew, putItem, transact, type Write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { copyRunMedia } from "../objects/show-media.ts";
import { sessionObjects } from "../objects/spill.ts";
import { type StoredRun, spillRun, unlistedRunItem } from "../runs/run-item.ts";
import { copyResults, countCopied, storedResultIds } from "../runs/stored-results.ts";
import { type StoredSession, spillSession } from "../sessions/session-item.ts";
import { putNewSession } from "../sessions/session-writes.ts";

/** Most runs of one transaction, which has 4 MB: a record has at most 400 KB. */
const AT_A_TIME = 9;

/**
 * Writes a session that starts with runs, and the results of tools that are stored beside them. The session is written with the
 * last of them: until then no reader finds the others, so a copy that breaks off is never visible.
 *
 * @param from  the session that they are copied from
 */
export async function copySession(
  db: Db,
  session: StoredSession,
  copied: readonly StoredRun[],
  from: Pick<StoredRun, "owner" | "session_id">,
): Promise<void> {
  const results = copied.flatMap(({ output }) => storedResultIds(output));
  const to = { owner: session.user_id, session_id: session.session_id };
  await countCopied(db, to, await copyResults(db, results, from, to));
  const spilled = await spillSession(db, session);
  for (let at = 0; at < copied.length; at += AT_A_TIME) {
    const whole = copied.slice(at, at + AT_A_TIME);
    const runs = await Promise.all(whole.map(async (run) => putRun(await ownRun(db, run))));
    const isLast = at + AT_A_TIME >= copied.length;
    const { written } = await transact(db, {
      runs,
      session: isLast ? putNewSession(spilled) : undefined,
    });
    if (!written) throw new Error(`session ${session.session_id} exists already`);
  }
}

/** Its objects are copied too: those of the old session are removed with it. */
async function ownRun(db: Db, run: StoredRun): Promise<StoredRun> {
  const output = await copyRunMedia(db, sessionObjects(run.owner, run.session_id), run.output);
  return spillRun(db, { ...run, output });
}

const putRun = (run: StoredRun): Write => putItem("runs", unlistedRunItem(run), isNew);
