import { createServer } from "node:http";
import { readBody } from "../../local/aws/read-body.ts";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

/** What a service answers: text is XML, anything else JSON; a refusal has a status. */
export type FakeAnswer = { readonly status?: number; readonly body: unknown };
/** By service and action, such as `sts GetCallerIdentity` or `bedrock POST`; of one stack with its name behind them. */
export type FakeAnswers = Readonly<Record<string, FakeAnswer>>;

/** An imitation of the services of AWS that answers what a test says, at one address for all. */
export async function startFakeAws(answers: () => FakeAnswers) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const [, service = ""] =
      /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(request.headers.authorization ?? "") ?? [];
    const body = (await readBody(request)).toString();
    const target = String(request.headers["x-amz-target"] ?? "").split(".")[1];
    const parameters = new URLSearchParams(body);
    const action = target ?? parameters.get("Action") ?? request.method;
    asked.push(`${service} ${action}`);
    const known = answers();
    const ofStack = known[`${service} ${action} ${parameters.get("StackName")}`];
    const { status = 200, body: answer } = ofStack ??
      known[`${service} ${action}`] ?? {
        status: 501,
        body: { __type: "NotImplemented", message: `${service} ${action}` },
      };
    response.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  return { asked, ...(await serveOnLoopback(server)) };
}

/** A list of the query protocol. */
export const xmlList = (name: string, entries: readonly Readonly<Record<string, string>>[]): string =>
  `<${name}>${entries
    .map(
      (entry) =>
        `<member>${Object.entries(entry)
          .map(([key, value]) => `<${key}>${value}</${key}>`)
          .join("")}</member>`,
    )
    .join("")}</${name}>`;
