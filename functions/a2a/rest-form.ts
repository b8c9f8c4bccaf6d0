import { ServerCallContext } from "@a2a-js/sdk/server";
import type { EventStream, Reply } from "../../shared/http/handler.ts";
import { requireComponent } from "../../shared/runs/index.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { requireKnownVersion, versionIn } from "./protocol-version.ts";
import { requireJsonType } from "./read-json.ts";
import { requestHandler } from "./request-handler.ts";
import { legacyRefusal, restRefusal } from "./rest-answers.ts";

type Handler = ReturnType<typeof requestHandler>;
type Answer = Reply | EventStream;

export const versionContext = (isLegacy: boolean): ServerCallContext =>
  new ServerCallContext({ requestedVersion: isLegacy ? "0.3" : "1.0" });

export const taskIdOf = ({ params }: A2aRequest): string => params.task_id ?? "";

/** Makes a handler of the HTTP bindings; the version decides the form of answers and errors. */
export const inForm =
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
