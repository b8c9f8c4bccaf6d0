import type { Models } from "../../../shared/engine/model/models.ts";
import { scripted } from "./run-agent.ts";

/** A model that fails whenever it is offered a tool of this name, as it is when it is asked on the side. */
export function forgetful(tool: string): Models {
  const inner = scripted();
  return {
    ...inner,
    resolve: async (spec) => {
      const resolved = await inner.resolve(spec);
      const doStream: typeof resolved.model.doStream = async (options) => {
        if (options.tools?.some(({ name }) => name === tool)) throw new Error("overloaded");
        return resolved.model.doStream(options);
      };
      return { ...resolved, model: { ...resolved.model, doStream } };
    },
  };
}
