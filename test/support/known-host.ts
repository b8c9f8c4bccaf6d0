import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenOnLoopback } from "../../local/machine/listen-on-loopback.ts";

/**
 * A host with a public name and address, for one process that calls no others: it serves JSON by TLS on this machine.
 *
 * @param name    such as `desk.example`
 * @param answer  what it serves, by path
 */
export async function startKnownHost(name: string, answer: (path: string) => unknown) {
  const folder = mkdtempSync(join(tmpdir(), "known-host-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  execFileSync(
    "openssl",
    [
      ...[
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
      ],
      ...["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`, "-keyout", key, "-out", cert],
    ],
    { stdio: "ignore" },
  );
  const asked: string[] = [];
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    ({ url = "" }, response) => {
      asked.push(url);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(url)));
    },
  );
  const port = await listenOnLoopback(server);
  const preload = join(folder, "known-host.cjs");
  writeFileSync(preload, preloadOf(name, port));
  return {
    /** Paths that were asked for. */
    asked,
    /** By which a process, with its threads, finds the host and trusts it. */
    execArgv: ["--require", preload],
    env: { NODE_EXTRA_CA_CERTS: cert },
    stop: async () => {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves the name to a public address, and connects to this machine instead. */
const preloadOf = (name: string, port: number): string => `
const dns = require("node:dns/promises");
const { Socket } = require("node:net");
const { lookup } = dns;
dns.lookup = (host, options) =>
  host === ${JSON.stringify(name)} ? Promise.resolve([{ address: "1.2.3.4", family: 4 }]) : lookup(host, options);
require("node:module").syncBuiltinESMExports();
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...given) {
  const options = Array.isArray(given[0]) ? given[0][0] : given[0];
  if (options?.host !== ${JSON.stringify(name)}) return connect.apply(this, given);
  const here = { ...options, host: "127.0.0.1", port: ${port}, lookup: undefined };
  return connect.apply(this, [here, ...given.slice(1)]);
};
`;
