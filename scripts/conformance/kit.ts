import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { KitVersion } from "./steering.ts";

/** A conformance kit in a folder of this machine. */
export type Kit = {
  readonly folder: string;
  readonly version: KitVersion;
  readonly python: string;
  /** Arguments for pytest. @param url  address of the tested component */
  readonly args: (url: string) => readonly string[];
};

/** Printed where no kit is named. */
export const HOW_TO_GET_ONE = `Name the folder of a conformance kit, or of both, in A2A_TCK:

  git clone -b 1.0-dev https://github.com/a2aproject/a2a-tck tck-1.0    # of version 1.0
  git clone -b 0.3.x   https://github.com/a2aproject/a2a-tck tck-0.3    # of version 0.3
  for kit in tck-1.0 tck-0.3; do (cd $kit && python3 -m venv .venv && .venv/bin/pip install -e .); done
  A2A_TCK=tck-1.0:tck-0.3 npm run conformance:a2a`;

const argsOf: Readonly<Record<KitVersion, Kit["args"]>> = {
  "1.0": (url) => ["tests/compatibility", `--sut-host=${url}`, "--transport=jsonrpc,http_json"],
  "0.3": (url) => [
    ...["tests/mandatory", "tests/optional/capabilities", `--sut-url=${url}`, "--test-scope", "all"],
    ...["--transports", "jsonrpc", "-m", "mandatory_jsonrpc or mandatory_protocol or optional_capability"],
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
  return { folder, version, python: existsSync(own) ? own : "python3", args: argsOf[version] };
}
