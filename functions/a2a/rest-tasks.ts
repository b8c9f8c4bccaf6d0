import { GetTaskRequest, ListTasksRequest, type ListTasksResponse, StreamResponse, Task } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { ServerCallContext } from "@a2a-js/sdk/server";
import * as v from "valibot";
import { legacyEvent, legacyTask } from "../../shared/a2a/legacy-rest.ts";
import type { EventStream, Reply } from "../../shared/http/handler.ts";
import { A2aTaskRequest } from "../../shared/schemas/a2a/a2a-requests.ts";
import { requireComponent } from "../runs/read/find-component.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { requireKnownVersion, versionIn } from "./protocol-version.ts";
import { readJson, requireJsonType } from "./read-json.ts";
import { requestHandler } from "./request-handler.ts";
import { legacyRefusal, openStream, restRefusal, restReply } from "./rest-answers.ts";

type Handler = ReturnType<typeof requestHandler>;
type Answer = Reply | EventStream;

const context = new ServerCallContext();

/** Makes a handler of the HTTP bindings; the version decides the form of answers and errors. */
const inForm =
  (handle: (handler: Handler, request: A2aRequest, isLegacy: boolean) => Promise<Answer>) =>
  async (request: A2aRequest, deps: A2aDeps): Promise<Answer> => {
    const version = versionIn(request);
    const isLegacy = version !== "1.0";
    try {
      await requireComponent(deps, request.component);
      requireKnownVersion(version);
      requireJsonType(request);
      return await handle(requestHandler(request, deps), request, isLegacy);
    } catch (error) {
      const isUnknown = version !== undefined && version !== "0.3" && version !== "1.0";
      return isLegacy && !isUnknown ? legacyRefusal(error) : restRefusal(request, error);
    }
  };

/** @throws RequestMalformedError for a body that says something, and no request about a task */
function requireTaskRequest(request: A2aRequest): void {
  const body = readJson(request);
  if (v.is(A2aTaskRequest, body) && !Array.isArray(body)) return;
  throw new RequestMalformedError("the body is no request about a task; send an object or none");
}

const taskIdOf = ({ params }: A2aRequest): string => params.task_id ?? "";

const shown = (request: A2aRequest, task: Task, isLegacy: boolean): Reply =>
  restReply(request, 200, isLegacy ? legacyTask(task) : Task.toJSON(task));

export const getTask = inForm(async (handler, request, isLegacy) => {
  const params = GetTaskRequest.fromJSON({ ...request.query, id: taskIdOf(request) });
  return shown(request, await handler.getTask(params, context), isLegacy);
});

export const cancelTask = inForm(async (handler, request, isLegacy) => {
  requireTaskRequest(request);
  const params = { id: taskIdOf(request), tenant: "", metadata: undefined };
  return shown(request, await handler.cancelTask(params, context), isLegacy);
});

/** Version 0.3 has no list: its clients get that of 1.0. */
export const listTasks = inForm(async (handler, request) => {
  const { includeArtifacts, ...query } = request.query;
  const params = ListTasksRequest.fromJSON({ ...query, includeArtifacts: includeArtifacts === "true" });
  const page = await handler.listTasks(params, context);
  return restReply(request, 200, withEveryMember(page));
});

/** The codec leaves out what is empty; of a list all members are required. */
const withEveryMember = (page: ListTasksResponse) => ({
  tasks: page.tasks.map((task) => Task.toJSON(task)),
  nextPageToken: page.nextPageToken,
  pageSize: page.pageSize,
  totalSize: page.totalSize,
});

export const subscribeToTask = inForm(async (handler, request, isLegacy) => {
  requireTaskRequest(request);
  const events = handler.resubscribe({ id: taskIdOf(request), tenant: "" }, context);
  return isLegacy
    ? openStream(events, (event) => legacyEvent(event, false))
    : openStream(events, StreamResponse.toJSON);
});

/** Refused in the form of the request's version. */
export const refusePushConfig = inForm((handler) =>
  // It reads none of its parameters.
  handler.listTaskPushNotificationConfigs({} as never, context).then(() => {
    throw new Error("push notifications are not offered");
  }),
);
