import { createServer } from "node:http";
import { readBody } from "../../../local/aws/read-body.ts";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";

/** What an operator sees of Lambda: reserved concurrency of functions, null where one has none, and states of mappings by their ids. */
export type Switches = {
  readonly concurrency: Record<string, number | null>;
  readonly mappings: Record<string, string>;
};

type Reply = readonly [status: number, body: object];
/** A mapping is switched some time after it was asked to be: here with the next question. */
const settled: Readonly<Record<string, string>> = { Enabling: "Enabled", Disabling: "Disabled" };

/** Lambda as far as a restore asks it, over functions that do nothing. @param switches what is switched */
export function startSwitchedLambda(switches: () => Switches) {
  const ofMapping = (method: string, id: string, body: string): Reply => {
    const { mappings } = switches();
    const state = mappings[id] ?? "";
    mappings[id] =
      method === "PUT" ? (JSON.parse(body).Enabled ? "Enabling" : "Disabling") : (settled[state] ?? state);
    return [200, { UUID: id, State: state }];
  };
  const ofFunction = (method: string, name: string, what: string, body: string): Reply => {
    const { concurrency } = switches();
    if (what === "configuration") return [200, { FunctionName: name, Timeout: 1 }];
    if (what === "invocations") return concurrency[name] === 0 ? [429, { Type: "User" }] : [200, {}];
    if (method === "PUT") concurrency[name] = JSON.parse(body).ReservedConcurrentExecutions;
    if (method === "DELETE") concurrency[name] = null;
    const reserved = concurrency[name];
    return [200, reserved == null ? {} : { ReservedConcurrentExecutions: reserved }];
  };
  const server = createServer(async (incoming, response) => {
    const { method = "GET", url = "" } = incoming;
    const body = (await readBody(incoming)).toString();
    const [, kind, name = "", what = ""] = /^\/[\d-]+\/([\w-]+)\/([^/?]+)\/?(\w*)/.exec(url) ?? [];
    const reply = kind === "functions" ? ofFunction(method, name, what, body) : ofMapping(method, name, body);
    response.writeHead(reply[0], { "content-type": "application/json" }).end(JSON.stringify(reply[1]));
  });
  return serveOnLoopback(server);
}
