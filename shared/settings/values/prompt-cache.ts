/** Whether prompts are marked for the caches of providers: for five minutes, for an hour, or not at all. */
export const promptCaches = ["on", "off", "1h"] as const;
export type PromptCache = (typeof promptCaches)[number];
