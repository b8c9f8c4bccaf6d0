import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from "@modelcontextprotocol/server";
import { isObject } from "../../../../shared/schemas/values/json-values.ts";

/** The extension by which a call may be answered with a task. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** What a request says that its client can do. Before version 2026-07-28 none does. */
export type ClientCan = {
  /** Ask its user to fill in a form. */
  readonly form: boolean;
  /** Show its user an address. */
  readonly url: boolean;
  readonly tasks: boolean;
};

export function clientCan({ envelope }: Pick<ServerContext["mcpReq"], "envelope">): ClientCan {
  const declared = (envelope as Readonly<Record<string, unknown>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  const { elicitation, extensions } = isObject(declared) ? declared : {};
  const modes = isObject(elicitation) ? elicitation : undefined;
  return {
    // A client that names no mode knows forms alone.
    form: modes !== undefined && (modes.form !== undefined || modes.url === undefined),
    url: modes?.url !== undefined,
    tasks: isObject(extensions) && isObject(extensions[TASKS_EXTENSION]),
  };
}
