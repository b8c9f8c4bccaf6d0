import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import {
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import type { TaskView } from "../../shared/a2a/task-of.ts";
import { normalizedAddress, refusedAddress } from "../../shared/outbound/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { changePushConfigs, getPushConfigs, type PushConfig } from "../../shared/stores/outbox/index.ts";
import type { A2aDeps } from "./a2a-deps.ts";

type Needs = Pick<A2aDeps, "db" | "clock" | "settings">;

/** Receivers of one task at most. */
const MAX_CONFIGS = 10;
const MAX_ID_CHARS = 200;
const MAX_SECRET_CHARS = 4_096;
/** What a header can hold. */
const VISIBLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** A name of an HTTP authentication scheme. @source RFC 9110 section 11.1 */
const SCHEME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Whether clients may ask for notifications: they go out by the same way as callbacks. */
export const offersPush = ({ db }: Pick<A2aDeps, "db">): boolean => db.outbox !== undefined;

type PushMethods = Pick<
  A2ARequestHandler,
  | "createTaskPushNotificationConfig"
  | "getTaskPushNotificationConfig"
  | "listTaskPushNotificationConfigs"
  | "deleteTaskPushNotificationConfig"
>;

/**
 * The methods by which a client says where it wants to be notified of a task.
 *
 * @param find  the task with an id, for this caller; throws TaskNotFoundError
 */
export function pushMethods(deps: Needs, find: (id: string) => Promise<TaskView>): PushMethods {
  const configsOf = async (taskId: string) => {
    requireOffered(deps);
    const { run, task } = await find(taskId);
    return { configs: await getPushConfigs(deps.db, run.run_id), isTask: task !== undefined };
  };
  return {
    async createTaskPushNotificationConfig(params, { requestedVersion }) {
      const { isTask } = await configsOf(params.taskId);
      if (!isTask)
        throw new UnsupportedOperationError(
          "the run was not begun by a message; its clients are notified by callbacks and webhooks",
        );
      const config = requireConfig(params, params.taskId, requestedVersion, deps);
      await savePushConfig(deps, params.taskId, config);
      return shown(params.taskId, config);
    },
    async getTaskPushNotificationConfig({ taskId, id }) {
      const { configs } = await configsOf(taskId);
      const found = id === "" ? configs[0] : configs.find((one) => one.id === id);
      if (!found) throw new TaskNotFoundError(`task ${taskId} has no push configuration ${id}`);
      return shown(taskId, found);
    },
    async listTaskPushNotificationConfigs({ taskId }) {
      const { configs } = await configsOf(taskId);
      return { configs: configs.map((config) => shown(taskId, config)), nextPageToken: "" };
    },
    async deleteTaskPushNotificationConfig({ taskId, id }) {
      await configsOf(taskId);
      const without = (configs: readonly PushConfig[]) =>
        configs.some((one) => one.id === id) ? configs.filter((one) => one.id !== id) : undefined;
      await changePushConfigs(deps.db, taskId, without, epochSeconds(deps.clock));
    },
  };
}

/** Adds a configuration to a task, or replaces the one with its id. @throws RequestMalformedError for one too many */
export async function savePushConfig(deps: Needs, taskId: string, config: PushConfig): Promise<void> {
  const added = (configs: readonly PushConfig[]) => {
    const others = configs.filter(({ id }) => id !== config.id);
    if (others.length >= MAX_CONFIGS) {
      throw new RequestMalformedError(`a task has ${MAX_CONFIGS} push configurations at most`);
    }
    return [...others, config];
  };
  await changePushConfigs(deps.db, taskId, added, epochSeconds(deps.clock));
}

/**
 * A configuration that a client has sent, if messages can be sent by it.
 *
 * @param defaultId  where the client names none
 * @throws RequestMalformedError naming what is wrong; PushNotificationNotSupportedError where webhooks are off
 */
export function requireConfig(
  sent: Pick<TaskPushNotificationConfig, "id" | "url" | "token" | "authentication">,
  defaultId: string,
  version: string,
  deps: Needs,
): PushConfig {
  requireOffered(deps);
  const { id, url, token, authentication } = sent;
  const refusal = refusedAddress(url, deps.settings.FETCH_ALLOWED_HOSTS);
  if (refusal !== undefined) throw new RequestMalformedError(`url: ${refusal}`);
  if (URL.parse(url)?.username !== "" || URL.parse(url)?.password !== "")
    throw new RequestMalformedError("url: it must not hold a credential; use authentication");
  if (id.length > MAX_ID_CHARS) throw new RequestMalformedError(`id: at most ${MAX_ID_CHARS} characters`);
  if (token !== "") requireHeaderText("token", token);
  const { scheme = "", credentials = "" } = authentication ?? {};
  if (scheme !== "" && !SCHEME.test(scheme)) {
    throw new RequestMalformedError("authentication: the scheme must be a name such as Bearer");
  }
  if (credentials !== "") requireHeaderText("authentication", credentials);
  return {
    id: id === "" ? defaultId : id,
    url: normalizedAddress(url),
    ...(token !== "" && { token }),
    // A scheme without credentials asks for some that do not exist here.
    ...(scheme !== "" && credentials !== "" && { authentication: { scheme, credentials } }),
    version: version === "0.3" ? "0.3" : "1.0",
  };
}

function requireHeaderText(field: string, text: string): void {
  if (VISIBLE.test(text) && text.length <= MAX_SECRET_CHARS) return;
  throw new RequestMalformedError(`${field}: it must be text that a header can hold`);
}

function requireOffered(deps: Needs): void {
  if (offersPush(deps)) return;
  throw new PushNotificationNotSupportedError(
    "push notifications are off on this instance; follow or poll the task",
  );
}

/** @decided  Credentials are not shown again: who may read a task need not be who set them. */
const shown = (taskId: string, config: PushConfig): TaskPushNotificationConfig => ({
  ...{ tenant: "", taskId, id: config.id, url: config.url },
  token: config.token ?? "",
  authentication: config.authentication && { scheme: config.authentication.scheme, credentials: "" },
});
