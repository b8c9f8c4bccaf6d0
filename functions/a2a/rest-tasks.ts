import { GetTaskRequest, ListTasksRequest, type ListTasksResponse, StreamResponse, Task } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import * as v from "valibot";
import { legacyEvent, legacyTask } from "../../shared/a2a/legacy-rest.ts";
import type { Reply } from "../../shared/http/handler.ts";
import { A2aTaskRequest } from "../../shared/schemas/a2a/a2a-requests.ts";
import type { A2aRequest } from "./a2a-deps.ts";
import { readJson } from "./read-json.ts";
import { openStream, restReply } from "./rest-answers.ts";
import { inForm, taskIdOf, versionContext } from "./rest-form.ts";

/** @throws RequestMalformedError for a body that says something, and no request about a task */
function requireTaskRequest(request: A2aRequest): void {
  const body = readJson(request);
  if (v.is(A2aTaskRequest, body) && !Array.isArray(body)) return;
  throw new RequestMalformedError("the body is no request about a task; send an object or none");
}

const shown = (request: A2aRequest, task: Task, isLegacy: boolean): Reply =>
  restReply(request, 200, isLegacy ? legacyTask(task) : Task.toJSON(task));

export const getTask = inForm(async (handler, request, isLegacy) => {
  const params = GetTaskRequest.fromJSON({ ...request.query, id: taskIdOf(request) });
  return shown(request, await handler.getTask(params, versionContext(isLegacy)), isLegacy);
});

export const cancelTask = inForm(async (handler, request, isLegacy) => {
  requireTaskRequest(request);
  const params = { id: taskIdOf(request), tenant: "", metadata: undefined };
  return shown(request, await handler.cancelTask(params, versionContext(isLegacy)), isLegacy);
});

/** Version 0.3 has no list: its clients get that of 1.0. */
export const listTasks = inForm(async (handler, request, isLegacy) => {
  const { includeArtifacts, ...query } = request.query;
  const params = ListTasksRequest.fromJSON({ ...query, includeArtifacts: includeArtifacts === "true" });
  const page = await handler.listTasks(params, versionContext(isLegacy));
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
  const events = handler.resubscribe({ id: taskIdOf(request), tenant: "" }, versionContext(isLegacy));
  return isLegacy
    ? openStream(events, (event) => legacyEvent(event, false))
    : openStream(events, StreamResponse.toJSON);
});
