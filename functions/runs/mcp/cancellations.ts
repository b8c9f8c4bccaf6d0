import type { Principal } from "../../../shared/auth/principal.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import {
  CANCELLATION_LIFE_SECONDS,
  isCancellationLive,
  readCancellationById,
  recordCancellationById,
} from "../../../shared/stores/runs/run-cancellation.ts";
import { digestOf } from "./digest-of.ts";
import type { McpDeps } from "./mcp-deps.ts";

type Needs = Pick<McpDeps, "db" | "clock" | "log">;

/** One request of a client: who sent it, in which connection, under which id. */
export type CallAddress = {
  readonly principal: Principal;
  /** The connection's id, which `initialize` has given; ids of requests begin anew in each connection. */
  readonly connection: string;
  readonly requestId: string | number;
};

const CHECK_EVERY_MS = 1_500;

/** The id under which the cancellation of a call is recorded; no other user's can be the same. */
const idOf = ({ principal, connection, requestId }: CallAddress): string =>
  `mcp-${digestOf([principal.kind, principal.user_id, connection, requestId])}`;

/** Records that a client has cancelled a call, which another process may execute. */
export const recordCallCancellation = ({ db, clock }: Needs, call: CallAddress): Promise<void> =>
  recordCancellationById(db, idOf(call), epochSeconds(clock) + CANCELLATION_LIFE_SECONDS);

/** Reads whether a call is cancelled, for as long as it is executed. @returns ends the watch */
export function watchCallCancellation(
  { db, clock, log }: Needs,
  call: CallAddress,
  cancel: () => void,
): () => void {
  const check = async () => {
    try {
      const seen = await readCancellationById(db, idOf(call), { consistent: false });
      if (isCancellationLive(seen, epochSeconds(clock))) return cancel();
    } catch (error) {
      log.warn("whether a call is cancelled could not be read", { error: String(error) });
    }
    if (!ended) timer = setTimeout(check, CHECK_EVERY_MS);
  };
  let ended = false;
  let timer = setTimeout(check, CHECK_EVERY_MS);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
