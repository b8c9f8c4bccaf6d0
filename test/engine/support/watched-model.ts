import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Models } from "../../../shared/engine/model/models.ts";
import { scripted } from "./run-agent.ts";

type Play = (prompt: LanguageModelV4Prompt) => LanguageModelV4StreamPart[] | undefined;

/** The scripted model, what it was shown, and the names of the tools that it was offered, call by call. @param play what is said in place of what it would say */
export function watchedModel(play?: Play) {
  const prompts: LanguageModelV4Prompt[] = [];
  const offered: string[][] = [];
  const models: Models = {
    ...scripted(),
    resolve: async (spec) => {
      const resolved = await scripted().resolve(spec);
      const { model } = resolved;
      const doStream: typeof model.doStream = async (options) => {
        prompts.push(options.prompt);
        offered.push((options.tools ?? []).map(({ name }) => name));
        const parts = play?.(options.prompt);
        return parts ? { stream: ReadableStream.from(parts) } : model.doStream(options);
      };
      return { ...resolved, model: Object.assign(Object.create(model), { doStream }) };
    },
  };
  return { models, prompts, offered };
}
