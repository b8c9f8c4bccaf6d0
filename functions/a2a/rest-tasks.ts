import { GetTaskRequest, ListTasksRequest, type ListTasksResponse, StreamResponse, Task } from "@a2a-js/sdk";
import { ServerCallContext } from "@a2a-js/sdk/server";
import { legacyEvent, legacyTask } from "../../shared/a2a/legacy-rest.ts";
import type { EventStream, Reply } from "../../shared/http/handler.ts";
import { requireComponent } from "../runs/read/find-component.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { requireKnownVersion, versionIn } from "./protocol-version.ts";
import { requireJsonType } from "./read-json.ts";
import { requestHandler } from "./request-handler.ts";
import { legacyRefusal, openStream, restRefusal, restReply } from "./rest-answers.ts";

type Handler = ReturnType<typeof requestHandler>;
type Answer = Reply | EventStream;

const context = new ServerCallContext();

/** What is done with a task by the HTTP bindings; the version says in whose words it is answered. */
const answering =
  (ask: (handler: Handler, request: A2aRequest, isLegacy: boolean) => Promise<Answer>) =>
  async (request: A2aRequest, deps: A2aDeps): Promise<Answer> => {
    const version = versionIn(request);
    const isLegacy = version !== "1.0";
    try {
      await requireComponent(deps, request.component);
      requireKnownVersion(version);
      requireJsonType(request);
      return await ask(requestHandler(request, deps), request, isLegacy);
    } catch (error) {
      const isUnknown = version !== undefined && version !== "0.3" && version !== "1.0";
      return isLegacy && !isUnknown ? legacyRefusal(error) : restRefusal(request, error);
    }
  };

const taskIdOf = ({ params }: A2aRequest): string => params.task_id ?? "";

const shown = (request: A2aRequest, task: Task, isLegacy: boolean): Reply =>
  restReply(request, 200, isLegacy ? legacyTask(task) : Task.toJSON(task));

export const getTask = answering(async (handler, request, isLegacy) => {
  const asked = GetTaskRequest.fromJSON({ ...request.query, id: taskIdOf(request) });
  return shown(request, await handler.getTask(asked, context), isLegacy);
});

export const cancelTask = answering(async (handler, request, isLegacy) => {
  const asked = { id: taskIdOf(request), tenant: "", metadata: undefined };
  return shown(request, await handler.cancelTask(asked, context), isLegacy);
});

/** Version 0.3 has no list: its clients get that of 1.0. */
export const listTasks = answering(async (handler, request) => {
  const { includeArtifacts, ...query } = request.query;
  const asked = ListTasksRequest.fromJSON({ ...query, includeArtifacts: includeArtifacts === "true" });
  const found = await handler.listTasks(asked, context);
  return restReply(request, 200, withEveryMember(found));
});

/** The codec leaves out what is empty; of a list all members are required. */
const withEveryMember = (found: ListTasksResponse) => ({
  tasks: found.tasks.map((task) => Task.toJSON(task)),
  nextPageToken: found.nextPageToken,
  pageSize: found.pageSize,
  totalSize: found.totalSize,
});

export const subscribeToTask = answering(async (handler, request, isLegacy) => {
  const events = handler.resubscribe({ id: taskIdOf(request), tenant: "" }, context);
  return isLegacy
    ? openStream(events, (event) => legacyEvent(event, false))
    : openStream(events, StreamResponse.toJSON);
});

/** Refused in the words of whoever asks. */
export const refusePushConfig = answering((handler) =>
  // It reads none of what it is asked.
  handler.listTaskPushNotificationConfigs({} as never, context).then(() => {
    throw new Error("push notifications are not offered");
  }),
);

export const refuseExtendedCard = answering((handler) =>
  handler.getAuthenticatedExtendedAgentCard({ tenant: "" }, context).then(() => {
    throw new Error("there is one card");
  }),
);
