import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import type { RunningPlatform } from "../platform.ts";
import { type Ended, runNode } from "../run-command.ts";
import { withFixtures } from "./fixture-tools.ts";

/** The program of the protocol's official conformance kit, for Node. */
export const kit = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");

/** Scenarios that cannot pass. A client that does not start fails them at once; it would start for nothing, and wait for half a minute. */
const impossible = "auth/*|sse-retry|elicitation-sep1034-client-defaults";
const clientUnderTest = [
  ...["case", "$MCP_CONFORMANCE_SCENARIO", "in", `${impossible})`, "exit", "1;;", "esac;"],
  ...[`'${process.execPath}'`, `'${join(import.meta.dirname, "client-under-test.ts")}'`],
].join(" ");

/**
 * Has the kit test what a revision of the protocol requires, with `expected-<revision>.yaml`. It ends with an error where anything
 * else fails, and where something passes that stands there.
 *
 * @param folder  where the kit writes what it has checked
 */
const require = (revision: string, folder: string, args: readonly string[]): Promise<Ended> => {
  const expected = join(import.meta.dirname, `expected-${revision}.yaml`);
  const all = [kit, ...args, "--requirements", revision, "--expected-failures", expected, "-o", folder];
  return runNode(all, folder);
};

/** The tools of a run as a client, tested by the kit. */
export const testClient = (revision: string, folder: string): Promise<Ended> =>
  require(revision, folder, ["client", "--command", clientUnderTest]);

/**
 * A platform's server, tested by the kit. A server between the two adds the credential, which the kit does not send, and calls runs where
 * the kit calls tools of its own.
 */
export async function testServer(
  revision: string,
  folder: string,
  { url }: Pick<RunningPlatform, "url">,
  token: string,
): Promise<Ended> {
  const server = createServer(async (incoming, answer) => {
    const { "content-length": _length, "transfer-encoding": _encoding, ...rest } = incoming.headers;
    const { body, named } = withFixtures(await text(incoming), rest["mcp-name"]?.toString());
    const headers = {
      ...{ ...rest, authorization: `Bearer ${token}` },
      ...(named !== undefined && { "mcp-name": named }),
    };
    const sent = request(`${url}${incoming.url}`, { method: incoming.method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    sent.on("error", (error) => answer.destroy(error));
    sent.end(body);
  });
  const proxy = await serveOnLoopback(server);
  try {
    return await require(revision, folder, ["server", "--url", `${proxy.address}/mcp`]);
  } finally {
    await proxy.stop();
  }
}
