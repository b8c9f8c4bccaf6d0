import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { KitVersion } from "./steering.ts";

/** A conformance kit in a folder of this machine. */
export type Kit = {
  readonly folder: string;
  readonly version: KitVersion;
  readonly python: string;
  readonly runs: readonly KitRun[];
};

/** One run of pytest. */
export type KitRun = {
  /** What it tests, for the report. */
  readonly binding: string;
  /** Arguments for pytest. @param url  address of the tested component */
  readonly args: (url: string) => readonly string[];
};

/** Printed where no kit is named. */
export const HOW_TO_GET_ONE = `Name the folder of a conformance kit, or of both, in A2A_TCK:

  git clone -b 1.0-dev https://github.com/a2aproject/a2a-tck tck-1.0    # of version 1.0
  git clone -b 0.3.x   https://github.com/a2aproject/a2a-tck tck-0.3    # of version 0.3
  for kit in tck-1.0 tck-0.3; do (cd $kit && python3 -m venv .venv && .venv/bin/pip install -e .); done
  A2A_TCK=tck-1.0:tck-0.3 npm run conformance:a2a`;

/** The tests of 0.3 that say how JSON-RPC itself is spoken are for that binding alone. */
const JSON_RPC_ALONE = "mandatory_jsonrpc or ";
const EVERY_BINDING = "mandatory_protocol or optional_capability";

const runOf03 = (binding: string, transport: string, markers: string): KitRun => ({
  binding,
  args: (url) => [
    ...["tests/mandatory", "tests/optional/capabilities", `--sut-url=${url}`, "--test-scope", "all"],
    ...["--transports", transport, "-m", markers],
  ],
});

const runsOf: Readonly<Record<KitVersion, readonly KitRun[]>> = {
  "1.0": [
    {
      binding: "JSON-RPC and HTTP+JSON",
      args: (url) => [
        ...["tests/compatibility", `--sut-host=${url}`, "--transport=jsonrpc,http_json"],
        "--webhook-host=127.0.0.1",
      ],
    },
  ],
  "0.3": [
    runOf03("JSON-RPC", "jsonrpc", JSON_RPC_ALONE + EVERY_BINDING),
    runOf03("HTTP+JSON", "rest", EVERY_BINDING),
    {
      binding: "both alike",
      args: (url) => [
        ...["tests/mandatory/transport", "tests/optional/multi_transport", `--sut-url=${url}`],
        ...["--test-scope", "all", "--transports", "jsonrpc,rest"],
      ],
    },
  ],
};

/**
 * The kit in a folder; the location of its tests determines the protocol version.
 *
 * @throws Error where there is no kit
 */
export function kitIn(path: string): Kit {
  const folder = resolve(path);
  const has = (inside: string): boolean => existsSync(join(folder, inside));
  const version = has("tests/compatibility") ? "1.0" : has("tests/mandatory") ? "0.3" : undefined;
  if (!version) throw new Error(`${folder} holds no conformance kit.\n\n${HOW_TO_GET_ONE}`);
  const own = join(folder, ".venv/bin/python");
  return { folder, version, python: existsSync(own) ? own : "python3", runs: runsOf[version] };
}
