import { getCallbackKeys } from "../../../shared/stores/outbox/index.ts";
import { postSigned } from "./post-signed.ts";
import type { TargetKind } from "./target-kind.ts";
import { lastIfGone } from "./tried-of.ts";

/** The receiver that a run itself names. */
export const callback: TargetKind = {
  targetsOf: async ({ db }, { run, owner }) =>
    run?.callback && db.outbox?.webhooks
      ? [{ id: "callback", host: new URL(run.callback.url).host, user_id: owner }]
      : [],

  deliver: async (deps, _delivery, event, now) => {
    const receiver = event.run?.callback;
    if (!receiver) return { skipped: "the run has no callback" };
    if (!deps.db.outbox?.webhooks) return { skipped: "webhooks were switched off" };
    const keyState = await getCallbackKeys(deps.db, event.owner);
    const tried = await postSigned(
      deps,
      event,
      {
        url: receiver.url,
        include_content: receiver.include_content,
        keyOwner: { callbacks_of: event.owner },
        keyState,
      },
      now,
    );
    return lastIfGone(tried);
  },
};
