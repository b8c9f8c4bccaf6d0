import { startPlatform } from "./platform.ts";
import { specialRegistry, withoutOnKills } from "./test-registry.ts";

/** A platform with the special registry, in a process that a test kills. Arguments: the folder of its data, and a port. */
const [dataDir = "", port = ""] = process.argv.slice(2);
const { LOCK_GRACE_SECONDS = "", MAX_ATTEMPTS = "" } = process.env;
await startPlatform({
  registry: specialRegistry,
  without: withoutOnKills,
  dataDir,
  port: Number(port),
  env: { LOCK_GRACE_SECONDS, MAX_ATTEMPTS },
});
