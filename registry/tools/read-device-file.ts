import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

/** Executed by the client: only it can read the file; it sends back the text. */
export const readDeviceFile = defineTool({
  name: "read_device_file",
  description: "Read a text file on the user's own device.",
  parameters: v.object({ path: v.pipe(v.string(), v.nonEmpty()) }),
  effect: "safe",
  external_execution: true,
});
