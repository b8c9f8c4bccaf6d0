import { createHash } from "node:crypto";
import { postMessage } from "../../../shared/outbound/sending.ts";
import { getPushConfigs, type PushConfig } from "../../../shared/stores/outbox/index.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import { getTask } from "../../../shared/stores/runs/task-item.ts";
import { getTombstone } from "../../../shared/stores/sessions/tombstone.ts";
import type { TargetKind } from "./target-kind.ts";
import { lastIfGone, triedOf } from "./tried-of.ts";

/** Clients of A2A that want to be notified of their task. */
export const push: TargetKind = {
  targetsOf: async ({ db }, { subject, owner, run }) =>
    run?.pushed
      ? (await getPushConfigs(db, subject.id)).map((config) => ({
          id: targetId(config),
          host: new URL(config.url).host,
          user_id: owner,
        }))
      : [],

  deliver: async ({ db, settings }, { target }, { subject, owner, run: facts }, now) => {
    const config = (await getPushConfigs(db, subject.id)).find((one) => targetId(one) === target.id);
    if (!config || !facts) return { skipped: "the configuration was removed" };
    const at = { owner, session_id: facts.session_id, run_id: subject.id };
    const [run, task, tombstone] = await Promise.all([
      getRun(db, at, now),
      getTask(db, subject.id),
      getTombstone(db, facts.session_id),
    ]);
    if (!run || tombstone) return { skipped: "the run was deleted" };
    // The protocol's code is loaded with the first notification.
    const { pushBody } = await import("../../../shared/a2a/push-body.ts");
    const { body, contentType } = pushBody({ run, task }, config.version);
    const headers = { ...headersOf(config), "content-type": contentType };
    const message = { url: config.url, headers, body };
    return lastIfGone(triedOf(await postMessage(message, settings.FETCH_ALLOWED_HOSTS)));
  },
};

/** A part of the delivery's id; ids of configurations are their clients' own, and may hold anything. */
const targetId = ({ id }: PushConfig): string =>
  `push-${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;

/** @source a2a-spec 1.0, "Push Notification Payload" */
const headersOf = ({ token, authentication, version }: PushConfig): Record<string, string> => ({
  "a2a-version": version,
  ...(token !== undefined && { "x-a2a-notification-token": token }),
  ...(authentication && { authorization: `${authentication.scheme} ${authentication.credentials}` }),
});
