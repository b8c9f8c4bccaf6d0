/** A model that a default, the template or a document names. */
export type DocumentedModel = {
  /** `<provider>:<id>`, as in the setting `model` */
  readonly spec: string;
  /** day (YYYY-MM-DD) until which its provider has promised to serve it */
  readonly servedUntil: string;
  /** where that promise comes from */
  readonly promise: string;
};

/** Claude by its global inference profile: one id for every region where Bedrock offers it. */
export const DEFAULT_MODEL = "amazon-bedrock:global.anthropic.claude-sonnet-5-5";

/**
 * Every model that defaults, template and documents name. A test fails 60 days before the first `servedUntil`: look the model up
 * at its provider, then enter a later date or name its successor. Where no end is announced, the date is the shortest notice
 * of the provider after the day on which that was checked.
 */
export const documentedModels: readonly DocumentedModel[] = [
  {
    spec: DEFAULT_MODEL,
    servedUntil: "2027-09-28",
    promise: "Bedrock serves a model for at least twelve months; launched on 2026-09-28",
  },
  {
    spec: "anthropic:claude-sonnet-5-5",
    servedUntil: "2027-09-28",
    promise: "Anthropic retires a Sonnet no sooner than a year after its release on 2026-09-28",
  },
  {
    spec: "openai:gpt-6.1-sol",
    servedUntil: "2027-05-24",
    promise: "OpenAI gives six months' notice; none was given by 2026-11-24",
  },
  {
    spec: "amazon-bedrock:global.amazon.nova-2-lite-v1:0",
    servedUntil: "2027-05-24",
    promise: "Bedrock announces an end six months before; none was announced by 2026-11-24",
  },
  {
    spec: "amazon-bedrock:amazon.titan-embed-text-v2:0",
    servedUntil: "2027-05-24",
    promise: "Bedrock announces an end six months before; none was announced by 2026-11-24",
  },
];
