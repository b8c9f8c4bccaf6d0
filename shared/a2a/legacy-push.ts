import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import * as v from "valibot";
import { LegacyPush } from "../schemas/a2a/a2a-legacy.ts";

/** A configuration of a task, in the spelling of JSON and in that of protocol buffers. */
const OfTask = v.union([
  v.pipe(
    v.object({ pushNotificationConfig: LegacyPush }),
    v.transform(({ pushNotificationConfig }) => pushNotificationConfig),
  ),
  v.pipe(
    v.object({ push_notification_config: LegacyPush }),
    v.transform(({ push_notification_config }) => push_notification_config),
  ),
]);
/** Clients that send the whole request of the protocol buffers have it in a member. */
const Request = v.pipe(
  v.object({ config: OfTask }),
  v.transform(({ config }) => config),
);
const Body = v.union([Request, OfTask, LegacyPush]);

/** @throws RequestMalformedError for a body that names no address */
export function pushConfigFromLegacy(body: unknown, taskId: string): TaskPushNotificationConfig {
  const parsed = v.safeParse(Body, body);
  if (!parsed.success) throw new RequestMalformedError("the body holds no pushNotificationConfig with a url");
  return pushFromLegacy(parsed.output, taskId);
}

/** Its one scheme and credentials; of several schemes the first, as the official SDK has it. */
export function pushFromLegacy(push: LegacyPush, taskId: string): TaskPushNotificationConfig {
  const { id, url, token, authentication } = push;
  return {
    ...{ tenant: "", taskId, id: id ?? "", url, token: token ?? "" },
    authentication: authentication
      ? { scheme: authentication.schemes?.[0] ?? "", credentials: authentication.credentials ?? "" }
      : undefined,
  };
}

/** @source docs/interface/a2a.md 6.3 */
export const legacyPushConfig = ({ taskId, id, url, token, authentication }: TaskPushNotificationConfig) => ({
  name: `tasks/${taskId}/pushNotificationConfigs/${id}`,
  pushNotificationConfig: {
    ...{ id, url },
    ...(token !== "" && { token }),
    ...(authentication && { authentication: { schemes: [authentication.scheme] } }),
  },
});
