import * as v from "valibot";
import { choice, jsonArray, secretName, text, url } from "../forms.ts";
import type { Settings } from "../setting.ts";
import { KnowledgeBases, parseEmbedderSpec, vectorStores } from "../values/knowledge-bases.ts";

/** A model that every region with Bedrock offers, and that accepts long texts. */
const DEFAULT_EMBEDDER = "amazon-bedrock:amazon.titan-embed-text-v2:0";

/** What agents may look up, and how it is found. */
export const knowledge = {
  /**
   * the knowledge bases: `[{"name": "manuals", "description": "…", "max_results": 10, "search_type": "hybrid", "weights":
   * {"vector": 1, "keyword": 1}, "sources": […]}]`, see [searches](guide/knowledge.md#searches); a source is `{"type":
   * "s3", "id", "name", "bucket", "prefix"}` or of type `gcs`, `azureblob`, `sharepoint` or `github` with the name of a
   * `secret`, see [knowledge](guide/knowledge.md#sources)
   */
  knowledgeBases: {
    variable: "KNOWLEDGE_BASES",
    form: jsonArray("a JSON array", KnowledgeBases, "must be a JSON array of knowledge bases"),
    default: '[{"name":"handbook","description":"What the agents may look up"}]',
  },
  /**
   * where vectors are kept; a deployment without it takes `s3-vectors`, which [not every region](deploy.md#regions) has,
   * `npm start` takes `dynamodb`
   */
  vectorStore: {
    variable: "VECTOR_STORE",
    form: choice(...vectorStores),
    default: { otherwise: "s3-vectors", local: "dynamodb" },
    unset: "dynamodb",
  },
  /**
   * embedding model for texts; providers are `amazon-bedrock`, `openai` and `openai-compatible`. `none` leaves searches to
   * words. With another embedder contents are found by words as before, and by meaning once they are uploaded again
   */
  embedder: {
    variable: "EMBEDDER",
    form: text(
      "`none` or `<provider>:<id>`",
      v.pipe(
        v.string(),
        v.check(
          (spec) => parseEmbedderSpec(spec) !== undefined,
          "must be none, local, or <provider>:<id> with amazon-bedrock, openai or openai-compatible",
        ),
      ),
    ),
    default: { otherwise: DEFAULT_EMBEDDER, local: "none" },
    unset: "none",
  },
  /** address of the service behind an `openai-compatible` embedder */
  embedderBaseUrl: { variable: "EMBEDDER_BASE_URL", form: url },
  /** Secrets Manager secret with the key of the embedder's provider; Bedrock needs none, `openai` needs one */
  embedderApiKeySecret: { variable: "EMBEDDER_API_KEY_SECRET", local: false, form: secretName },
} as const satisfies Settings;
