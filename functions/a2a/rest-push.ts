import { ListTaskPushNotificationConfigsResponse, TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { legacyPushConfig, pushConfigFromLegacy } from "../../shared/a2a/legacy-push.ts";
import { isObject, readJson } from "./read-json.ts";
import { restReply } from "./rest-answers.ts";
import { inForm, taskIdOf, versionContext } from "./rest-form.ts";

/** The HTTP bindings of push configurations. */
export const createPushConfig = inForm(async (handler, request, isLegacy) => {
  const body = readJson(request);
  if (!isObject(body)) throw new RequestMalformedError("the body is no push configuration");
  const taskId = taskIdOf(request);
  const sent = isLegacy
    ? pushConfigFromLegacy(body, taskId)
    : TaskPushNotificationConfig.fromJSON({ ...body, taskId });
  const made = await handler.createTaskPushNotificationConfig(sent, versionContext(isLegacy));
  return restReply(request, 200, isLegacy ? legacyPushConfig(made) : TaskPushNotificationConfig.toJSON(made));
});

export const listPushConfigs = inForm(async (handler, request, isLegacy) => {
  const asked = { tenant: "", taskId: taskIdOf(request), pageSize: 0, pageToken: "" };
  const page = await handler.listTaskPushNotificationConfigs(asked, versionContext(isLegacy));
  return restReply(
    request,
    200,
    isLegacy
      ? { configs: page.configs.map(legacyPushConfig) }
      : { configs: [], ...Object(ListTaskPushNotificationConfigsResponse.toJSON(page)) },
  );
});

const oneOf = (request: Parameters<typeof taskIdOf>[0]) => ({
  tenant: "",
  taskId: taskIdOf(request),
  id: request.params.config_id ?? "",
});

export const getPushConfig = inForm(async (handler, request, isLegacy) => {
  const found = await handler.getTaskPushNotificationConfig(oneOf(request), versionContext(isLegacy));
  return restReply(
    request,
    200,
    isLegacy ? legacyPushConfig(found) : TaskPushNotificationConfig.toJSON(found),
  );
});

export const removePushConfig = inForm(async (handler, request, isLegacy) => {
  await handler.deleteTaskPushNotificationConfig(oneOf(request), versionContext(isLegacy));
  return restReply(request, 200, {});
});
