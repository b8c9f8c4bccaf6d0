import * as v from "valibot";
import { parseModelSpec } from "../../schemas/values/model-spec.ts";
import { choice, jsonObject, secretName, text, url, whole } from "../forms.ts";
import type { Settings } from "../setting.ts";
import { DEFAULT_MODEL } from "../values/documented-models.ts";
import { ModelPrices } from "../values/model-prices.ts";
import { ModelProviders } from "../values/model-providers.ts";
import { ModelWindows } from "../values/model-windows.ts";
import { promptCaches } from "../values/prompt-cache.ts";
import { ToolSecrets } from "../values/tool-secrets.ts";

const limit = v.optional(v.pipe(v.number(), v.minValue(1)));

/** What all workers together may ask of a model; what is absent has no limit. */
const ModelLimit = v.strictObject(
  { requests_per_minute: limit, tokens_per_minute: limit, concurrent: limit },
  "must be limits of a model",
);

/** Limits by model specification. */
export const ModelLimits = v.record(v.string(), ModelLimit);
export type ModelLimits = v.InferOutput<typeof ModelLimits>;

const modelSpec = text(
  "`scripted` or `<provider>:<id>`",
  v.pipe(
    v.string(),
    v.check(
      (spec) => parseModelSpec(spec) !== undefined,
      "must be scripted, or <provider>:<id> with amazon-bedrock, openai, anthropic or openai-compatible",
    ),
  ),
);

/** Which models answer, how they are reached, and the secrets of tools. */
export const models = {
  /**
   * model of every agent that names none; providers are `amazon-bedrock`, `openai`, `anthropic` and `openai-compatible`
   */
  model: {
    variable: "MODEL",
    form: modelSpec,
    default: { otherwise: DEFAULT_MODEL, local: "scripted" },
    required: true,
  },
  /** model that judges answers in evaluations; the evaluated component's own where not set */
  judgeModel: { variable: "JUDGE_MODEL", form: modelSpec },
  /**
   * model for memories, learnings, summaries, follow-up questions and names, of agents that name none by `helper_model`; the run's own
   * where not set
   */
  helperModel: { variable: "HELPER_MODEL", form: modelSpec },
  /**
   * address of the service that serves `model`; `openai-compatible` needs it, and it replaces the address of any other
   * provider
   */
  modelBaseUrl: { variable: "MODEL_BASE_URL", form: url },
  /**
   * Secrets Manager secret with the key of the provider of `model`; Bedrock needs none, `openai` and `anthropic` need one
   */
  modelApiKeySecret: { variable: "MODEL_API_KEY_SECRET", local: false, form: secretName },
  /**
   * further providers, each with its own address and secret: `{"anthropic": {"apiKeySecret": "models/anthropic"},
   * "openai-compatible": {"baseUrl": "https://…"}, "amazon-bedrock": {"models": ["global.amazon.nova-2-lite-v1:0"]}}`. `structured` of
   * `openai-compatible` is how its server takes the shape of an answer: `json_schema`, `json_object` or `prompt`, an instruction
   * alone, which is the default. `promptCache` is how it is asked to [cache prompts](guide/prompt-cache.md): `key`, `marks`, or
   * `none`, which is the default. `models` are
   * the Bedrock models that functions may call in addition to `model` and `judgeModel`
   */
  modelProviders: { variable: "MODEL_PROVIDERS", form: jsonObject(ModelProviders) },
  /**
   * dollars for a million tokens, by model: `{"anthropic:claude-sonnet-5-5": {"input_per_million": 2, "output_per_million": 10}}`; the
   * metrics of a run contain its cost if its model has a price
   */
  modelPrices: {
    variable: "MODEL_PRICES",
    form: jsonObject(ModelPrices, "must be a JSON object of prices by model"),
  },
  /**
   * tokens that a model takes in one call, prompt and answer together: `{"openai-compatible:qwen4": 32768}`; the windows of Claude, GPT
   * and Nova are known, and that of any other model is learned from its service's first refusal
   * ([long runs](guide/long-runs.md))
   */
  modelWindows: {
    variable: "MODEL_WINDOWS",
    form: jsonObject(ModelWindows, "must be a JSON object of tokens by model"),
  },
  /**
   * `shared`: that a model is down, or that its service asks to slow down, counts for [all calls](models.md) as soon as one has
   * found it out; `own`: each call finds out for itself, and `modelLimits` are not kept
   */
  modelHealth: { variable: "MODEL_HEALTH", form: choice("shared", "own"), default: "shared" },
  /**
   * what all functions together ask of a model at most: `{"anthropic:claude-sonnet-5-5": {"requests_per_minute": 60,
   * "tokens_per_minute": 80000, "concurrent": 4}}`; what is left out has no limit, and calls that are over it
   * [wait](models.md)
   */
  modelLimits: {
    variable: "MODEL_LIMITS",
    form: jsonObject(ModelLimits, "must be a JSON object of limits by model"),
  },
  /** seconds in which a model has to begin its answer; after that the call has failed, and is made again */
  modelFirstTokenSeconds: { variable: "MODEL_FIRST_TOKEN_SECONDS", form: whole(1, 3600), default: "60" },
  /** seconds that a model may be silent within an answer; models that think without a sign may need more */
  modelSilenceSeconds: { variable: "MODEL_SILENCE_SECONDS", form: whole(1, 3600), default: "90" },
  /** how many tools of one answer run at once; a tool's own `max_parallel` is about its own calls */
  maxParallelTools: { variable: "MAX_PARALLEL_TOOLS", form: whole(1, 100), default: "8" },
  /** seconds after which a tool's call has failed, unless the tool says otherwise; a worker function lives 900 */
  toolTimeoutSeconds: { variable: "TOOL_TIMEOUT_SECONDS", form: whole(1, 3600), default: "600" },
  /**
   * whether prompts are marked for the [caches of providers](guide/prompt-cache.md): `on` keeps them for five minutes after
   * their last use, `1h` for an hour, at a higher price of writing
   */
  promptCache: { variable: "PROMPT_CACHE", form: choice(...promptCaches), default: "on" },
  /**
   * where the [secrets of tools](guide/registry.md#a-tool-with-a-key) are in Secrets Manager, by the names that tools
   * declare: `{"STRIPE_KEY": "shop/stripe", "MAPS_KEY": {"secret": "shop/keys", "field": "maps"}}`. A secret is given by its
   * name or its whole ARN; `field` is a member of the JSON object that it holds. Locally what is not mapped comes from the
   * environment or from `.env`
   */
  toolSecrets: { variable: "TOOL_SECRETS", form: jsonObject(ToolSecrets), default: "{}" },
} as const satisfies Settings;
