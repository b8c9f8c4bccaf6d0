import * as v from "valibot";
import { defineTool } from "../../shared/engine/define/index.ts";

/** Something that only the client can do: it reads the file and sends the text back. */
export const readDeviceFile = defineTool({
  name: "read_device_file",
  description: "Read a text file on the user's own device.",
  parameters: v.object({ path: v.pipe(v.string(), v.nonEmpty()) }),
  effect: "safe",
  external_execution: true,
});
